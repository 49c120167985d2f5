// The theme of the last time, before the settings are there: a dark window must
// not begin with a light flash. App.svelte writes what is read here.
const theme = localStorage.getItem("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
