// The few controls in the page's head: light or dark; and the service worker that keeps the page for later.

import { el } from "./dom.js";
import { keepSetting } from "./store.js";
import { say } from "./texts.js";

const DARK = window.matchMedia("(prefers-color-scheme: dark)");

/** @returns {HTMLElement} a button between light and dark */
export function themeButton() {
  const isDark = () => (document.documentElement.dataset.theme ?? (DARK.matches ? "dark" : "light")) === "dark";
  const button = el("button.small", {
    type: "button", id: "theme",
    onclick: () => {
      const next = isDark() ? "light" : "dark";
      const system = DARK.matches ? "dark" : "light";
      keepSetting("theme", next === system ? null : next);
      if (next === system) delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = next;
      label();
    },
  });
  const label = () => (button.textContent = say(isDark() ? "light" : "dark"));
  DARK.addEventListener("change", label);
  label();
  return button;
}

/**
 * Let a service worker keep everything that this lab needs.
 * @param {string} address
 * @param {string[]} others names of the other labs, which are kept when they are visited
 * @param {function(): void} kept called when the page works without network
 * @returns {function(): void} to be called once Python is here
 */
export function keepForLater(address, others, kept) {
  if (!("serviceWorker" in navigator)) return () => {};
  navigator.serviceWorker.addEventListener("message", ({ data }) => data?.kind === "kept" && data.all && kept());
  const registered = navigator.serviceWorker.register(address, { updateViaCache: "none" }).catch(() => null);
  return async () => {
    if (!(await registered)) return;
    const registration = await navigator.serviceWorker.ready;
    registration.active?.postMessage({ do: "keep", others });
  };
}
