"use strict";
const field = id => document.getElementById(id);
const claims = [...document.querySelectorAll("details[data-verdict]")];
const words = new Map();
const paperOf = claim => claim.id.split("-", 1)[0];

/* An unfolded claim says what its symbols stand for: they are copied from the list of its paper. */
document.addEventListener("toggle", event => {
  const here = event.target.querySelector?.(":scope > .here[data-symbols]");
  if (!here) return;
  const known = field(`symbols-${paperOf(event.target)}`).querySelectorAll("li");
  here.append(Object.assign(document.createElement("b"), { textContent: "Here." }), " ");
  here.dataset.symbols.split(" ").forEach((place, i) =>
    here.append(...(i ? ["; "] : []), ...[...known[place].childNodes].map(node => node.cloneNode(true))));
  here.removeAttribute("data-symbols");
}, true);

/* What is shown in one line, formulas as one would type them: w_t^2/(2n), √(8T). What symbols stand for is not sought in. */
function linear(node) {
  if (node.className === "here") return "";
  const script = { sub: index => `_${index}`, sup: raised }[node.localName] ?? (words => words);
  if (!node.firstElementChild) return node.localName === "mspace" ? " " : script(node.textContent);
  const parts = [...node.childNodes].map(linear);
  const grouped = i => node.childNodes[i].firstElementChild ? `(${parts[i]})` : parts[i];
  switch (node.localName) {
    case "msub": return `${parts[0]}_${parts[1]}`;
    case "msup": return `${parts[0]}${raised(parts[1])}`;
    case "msubsup": return /^[′*]+$/.test(parts[2]) ? `${parts[0]}${parts[2]}_${parts[1]}` : `${parts[0]}_${parts[1]}${raised(parts[2])}`;
    case "mfrac": return `${parts[0]}/${grouped(1)}`;
    case "msqrt": return `√${node.children.length > 1 ? `(${parts.join("")})` : parts[0]}`;
    default: return script(parts.join(""));
  }
}
const raised = power => /^[′*ᵀ]+$/.test(power) ? power : `^${power}`;

/* The words of a claim, read when they are first needed. */
function text(claim) {
  if (!words.has(claim)) words.set(claim, linear(claim).toLowerCase().replaceAll("ς", "σ").replaceAll("\u2061", ""));
  return words.get(claim);
}

const GREEK = Object.fromEntries(("alpha α beta β gamma γ delta δ epsilon ε eps ε zeta ζ eta η theta θ kappa κ lambda λ mu μ"
  + " nu ν xi ξ pi π rho ρ sigma σ tau τ phi φ chi χ psi ψ omega ω sqrt √ le ≤ ge ≥ leq ≤ geq ≥ nabla ∇ grad ∇ sum ∑")
  .split(" ").map((name, i, all) => [name, all[i + 1]]).filter((_, i) => i % 2 === 0));

const POWERS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/* What a reader may have typed for a symbol: γ, gamma, \gamma, also before an index; ϵ and ϕ are other shapes of ε and φ,
   x² is x^2. */
function spellings(word) {
  const shaped = word.replaceAll("ϵ", "ε").replaceAll("ϕ", "φ")
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, digits => `^${[...digits].map(digit => POWERS.indexOf(digit)).join("")}`);
  const symbol = shaped.replace(/\\?([a-z]+)/g, (all, name) => Object.hasOwn(GREEK, name) ? GREEK[name] : all);
  return shaped.startsWith("\\") ? [symbol] : [shaped, symbol];
}

function filter() {
  const sought = field("search").value.toLowerCase().split(/\s+/).filter(Boolean).map(spellings);
  const paper = field("paper").value, verdict = field("verdict").value;
  const privacy = field("privacy").checked;
  let shown = 0;
  for (const claim of claims) {
    const keep = (!paper || paperOf(claim) === paper)
      && (!verdict || claim.dataset.verdict === verdict)
      && (!privacy || "privacy" in claim.dataset)
      && sought.every(any => any.some(word => text(claim).includes(word)));
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
