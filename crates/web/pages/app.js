// The frame around the pages: which one is shown, the theme, the token.

import * as board from "./board.js";
import * as books from "./books.js";
import * as cluster from "./cluster.js";
import * as learning from "./learning.js";
import { get, post } from "./wire.js";

const PAGES = { board, cluster, books, learning };
const element = (id) => document.getElementById(id);
// The page that is shown where none is asked for: where no game is played and none is shown, the loop's.
let home = "board";

function theme(name) {
  document.documentElement.dataset.theme = name;
  localStorage.setItem("theme", name);
}

function show() {
  const asked = location.hash.slice(1).split("/")[0];
  const name = asked in PAGES ? asked : home;
  for (const page of Object.keys(PAGES)) {
    element(page).hidden = page !== name;
    PAGES[page].show(page === name);
  }
  for (const link of document.querySelectorAll("header nav a")) {
    link.classList.toggle("on", link.dataset.page === name);
  }
}

async function begin() {
  const about = await get("/api/about");
  if (!about.is_let_in) {
    element("login").hidden = false;
    element("token").focus();
    return;
  }
  element("login").hidden = true;
  document.querySelector('nav a[data-page="learning"]').hidden = !about.learns;
  document.querySelector('nav a[data-page="books"]').hidden = !about.has_books;
  home = about.learns && !about.plays ? "learning" : "board";
  await board.begin(about);
  cluster.begin();
  learning.begin(about);
  books.begin(about);
  addEventListener("hashchange", show);
  show();
}

element("login").addEventListener("submit", async (event) => {
  event.preventDefault();
  try {
    await post("/api/login", { token: element("token").value });
    element("token").value = "";
    await begin();
  } catch (fault) {
    element("login-fault").textContent = fault.message;
  }
});

const prefers = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
theme(localStorage.getItem("theme") ?? prefers);
element("theme").addEventListener("click", () => {
  theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
});
begin();
