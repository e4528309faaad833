"""The workbench in a browser: `klingel app`. Only this folder imports a web package."""
