"use strict";
/* Runs at the end of the page. Everything that is not as it should be goes into data-failures. */
(async () => {
  const failures = [];
  const check = (ok, what) => { if (!ok) failures.push(what); };
  const later = () => new Promise(resolve => setTimeout(resolve, 200));
  const $ = id => document.getElementById(id);
  const say = (name, value) => document.body.setAttribute(`data-${name}`, value);

  for (const svg of document.querySelectorAll("main svg[role=img]")) {
    const hidden = svg.closest("details:not([open])");
    const box = svg.getBoundingClientRect();
    check(hidden || (box.width > 50 && box.height > 20), `flat picture: ${svg.getAttribute("aria-label")}`);
    check(svg.querySelector("path, circle"), "empty picture");
  }
  for (const link of document.querySelectorAll("a[href^='#']"))
    check($(decodeURIComponent(link.getAttribute("href").slice(1))), `dead link ${link.getAttribute("href")}`);

  if ($("filters")) {
    const all = [...document.querySelectorAll("details[data-verdict]")];
    const shown = () => all.filter(c => c.getClientRects().length > 0);
    const set = async (id, value) => {
      $(id).value = value;
      $(id).dispatchEvent(new Event("input", { bubbles: true }));
      await later();
    };
    check(shown().length === all.length, "not all claims are shown at first");
    await set("verdict", "refuted");
    check(shown().length > 0 && shown().length < all.length, "the filter by verdict");
    check(shown().every(c => c.dataset.verdict === "refuted"), "the filter lets others through");
    check($("shown").textContent === `${shown().length} of ${all.length} claims`, "the count");
    await set("paper", "gcd");
    check(shown().length > 0 && shown().every(c => c.id.startsWith("gcd-") && c.dataset.verdict === "refuted"), "two filters");
    await set("search", "thm-4.2");
    check(shown().length > 0 && shown().every(c => c.textContent.toLowerCase().includes("thm-4.2")), "the search");
    $("filters").reset();
    await later();
    check(shown().length === all.length, "clearing the filters");

    /* Three clicks to a counterexample: the tile, a claim, its text. */
    document.querySelector(".tile.refuted").click();
    await later();
    const refuted = shown()[0];
    check(refuted.dataset.verdict === "refuted", "the tile filters");
    refuted.querySelector("summary").click();
    await later();
    const told = [...refuted.querySelectorAll("p")].find(p => p.textContent.startsWith("Fails at."));
    check(refuted.open && told && told.getClientRects().length > 0, "the counterexample is not shown");

    /* A link opens its claim although the filters hide it. */
    const proved = all.find(c => c.dataset.verdict === "proved");
    location.hash = proved.id;
    await later();
    check(proved.open && proved.getClientRects().length > 0, "a link does not open its claim");
    check(document.activeElement === proved.querySelector("summary"), "a link does not lead the keyboard to its claim");
    for (const picture of all.flatMap(c => [...c.querySelectorAll(":scope > figure.domain > svg")]).slice(0, 40)) {
      picture.parentElement.open = true;
      check(picture.getBoundingClientRect().width > 50, "a domain without a picture");
    }
  }
  check(window.pageErrors.length === 0, `logged: ${window.pageErrors.join("; ")}`);
  say("failures", failures.join("; "));
  say("done", "yes");
})();
