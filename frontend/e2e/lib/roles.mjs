// Finding elements the way a screen reader names them: by role and accessible name.

/**
 * Runs inside the page, so it may use nothing from outside its own body. Covers the part of the accessible-name
 * rules that the interface uses: labelledby, label, label elements, alternative text, own text, title, placeholder.
 * @param {Element | null} within
 * @param {string} role
 * @param {string | null} name
 * @returns {Element[]} in document order
 */
export function findInPage(within, role, name) {
  const native = {
    button: "button, summary, input[type=submit], input[type=button]",
    textbox:
      "textarea, input:not([type]), input[type=text], input[type=url], input[type=email], input[type=password]",
    searchbox: "input[type=search]",
    combobox: "select",
    spinbutton: "input[type=number]",
    list: "ul, ol",
    listitem: "li",
    article: "article",
    link: "a[href]",
    group: "fieldset, details",
    region: "section",
    img: "img",
    status: "output",
    heading: "h1, h2, h3, h4, h5, h6",
    dialog: "dialog[open]",
    radio: "input[type=radio]",
    checkbox: "input[type=checkbox]",
  };
  const tidy = (text) => (text ?? "").replace(/\s+/g, " ").trim();
  const nameOf = (element) => {
    const ids = element.getAttribute("aria-labelledby");
    if (ids) {
      return tidy(
        ids
          .split(/\s+/)
          .map((id) => document.getElementById(id)?.textContent)
          .join(" "),
      );
    }
    const label = tidy(element.getAttribute("aria-label"));
    if (label) return label;
    if (element.labels?.length)
      return tidy([...element.labels].map((one) => one.textContent).join(" "));
    if (element.alt) return tidy(element.alt);
    if (element.tagName === "FIELDSET") return tidy(element.querySelector("legend")?.textContent);
    if (
      ["button", "link", "tab", "option", "listitem", "heading", "menuitem", "switch"].includes(
        role,
      )
    ) {
      const text = tidy(element.textContent);
      if (text) return text;
    }
    return tidy(element.getAttribute("title") || element.getAttribute("placeholder"));
  };
  const hidden = (element) =>
    element.closest("[aria-hidden=true], [hidden], [inert]") !== null ||
    (element.checkVisibility && !element.checkVisibility({ visibilityProperty: true }));
  const selector = `[role=${role}]${native[role] ? `, :is(${native[role]}):not([role])` : ""}`;
  return [...(within ?? document).querySelectorAll(selector)].filter(
    (element) => !hidden(element) && (name === null || nameOf(element) === name),
  );
}
