export {
  AmbientLight, ArrowHelper, BoxGeometry, BufferGeometry, Color, CylinderGeometry, DirectionalLight, EdgesGeometry,
  ExtrudeGeometry, Float32BufferAttribute, GridHelper, Group, HemisphereLight, Line, LineBasicMaterial, LineSegments, Mesh,
  MeshLambertMaterial, PerspectiveCamera, Scene, Shape, SphereGeometry, Vector3, WebGLRenderer,
} from "three";
export { OrbitControls } from "three/addons/controls/OrbitControls.js";
