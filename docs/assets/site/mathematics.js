// Formulas, as `pymdownx.arithmatex` marks them: \( ... \) in a line, \[ ... \] on a line of their own.
document$.subscribe(() => {
  for (const place of document.querySelectorAll(".arithmatex:not([data-done])")) {
    const text = place.textContent.trim();
    katex.render(text.slice(2, -2), place, { displayMode: text.startsWith("\\["), throwOnError: false });
    place.dataset.done = "yes";
  }
});
