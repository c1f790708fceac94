// Runs before the page is painted, so that a chosen theme does not flash.
try {
  const chosen = localStorage.getItem("attnlab:theme");
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset.theme = chosen;
} catch {
  // the system's own theme, then
}
