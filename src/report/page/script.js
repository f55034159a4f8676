"use strict";
const field = id => document.getElementById(id);
const claims = [...document.querySelectorAll("details.claim")];
const words = new Map();

/* The words of a claim, read when they are first needed. */
function text(claim) {
  if (!words.has(claim)) words.set(claim, claim.textContent.toLowerCase());
  return words.get(claim);
}

function filter() {
  const sought = field("search").value.toLowerCase().split(/\s+/).filter(Boolean);
  const paper = field("paper").value, verdict = field("verdict").value;
  const privacy = field("privacy").checked;
  let shown = 0;
  for (const claim of claims) {
    const keep = (!paper || claim.dataset.paper === paper)
      && (!verdict || claim.dataset.verdict === verdict)
      && (!privacy || "privacy" in claim.dataset)
      && sought.every(word => text(claim).includes(word));
    claim.hidden = !keep;
    shown += keep;
  }
  field("shown").textContent = `${shown} of ${claims.length} claims`;
}

/* A link to a claim opens it, whatever the filters hide. */
function reveal() {
  const target = field(decodeURIComponent(location.hash.slice(1)));
  if (!target || !target.matches("details")) return;
  if (target.hidden) { field("filters").reset(); filter(); }
  target.open = true;
  target.scrollIntoView();
  target.querySelector("summary").focus({ preventScroll: true });
}

if (field("filters")) {
  let waiting;
  field("filters").addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(filter, 60); });
  field("filters").addEventListener("reset", () => setTimeout(filter));
  field("filters").addEventListener("submit", event => event.preventDefault());
  for (const tile of document.querySelectorAll(".tile"))
    tile.addEventListener("click", () => { field("filters").reset(); field("verdict").value = tile.dataset.verdict; filter(); });
  filter();
}
addEventListener("hashchange", reveal);
reveal();

/* Paper shows what is unfolded, and the findings in full. */
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details.finding:not([open])")];
  for (const finding of folded) finding.open = true;
});
addEventListener("afterprint", () => { for (const finding of folded) finding.open = false; });
