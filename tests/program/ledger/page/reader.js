"use strict";
/* As a reader would: looks, clicks, counts the clicks. Everything that is not as it should be goes into data-failures. */
(async () => {
  const failures = [];
  const check = (ok, what) => { if (!ok) failures.push(what); };
  const later = () => new Promise(resolve => setTimeout(resolve, 150));
  const $ = id => document.getElementById(id);
  const seen = element => element && element.checkVisibility();
  const say = (name, value) => document.body.setAttribute(`data-${name}`, value);

  /* Without a click: the papers come first, each with its theorems, and of what does not hold how bad and what instead. */
  check(document.querySelector("main section")?.id === "papers", "the papers do not come first");
  const failing = [];
  for (const paper of ["skgd", "gcd", "decor", "kl", "ambssgd"]) {
    check(seen($(`paper-${paper}`)) && /\d{4}\.\d{5}/.test($(`paper-${paper}`).textContent), `${paper} has no title with an arXiv id`);
    const rows = [...document.querySelectorAll("table.headlines tbody tr")].filter(r => r.querySelector("code").textContent.startsWith(`${paper}-`));
    check(rows.length > 3, `${paper} has no theorems`);
    const bad = rows.filter(r => r.querySelector("td.refuted, td.empty"));
    check(bad.length > 0 && bad.every((row, i) => row === rows[i]), `${paper}: what fails does not come first`);
    const line = document.querySelector(`.overview a[href="#paper-${paper}"]`)?.parentElement;
    check(seen(line) && line.textContent.includes(`${bad.length} of ${rows.length} theorems fail`)
      && line.textContent.includes(bad[0].querySelector("code").textContent), `${paper} is not in the overview`);
    for (const row of bad) {
      const [theorem, verdict, effect, instead] = [...row.cells];
      const name = row.querySelector("code").textContent;
      check([theorem, verdict, effect, instead].every(seen), `${name} is hidden`);
      check(/\((critical|major|minor|wording|edge)\)/.test(verdict.textContent), `${name} has no severity`);
      check(effect.textContent.trim().length > 5, `${name} does not say how bad it is`);
      check(!verdict.textContent.includes("critical") || /^ε (e\.g\. )?× \d/.test(effect.textContent), `${name}: the size does not come first`);
      check(instead.querySelector("a") || /^nothing yet: ./.test(instead.textContent), `${name} does not say what to use instead`);
    }
    failing.push(...bad.slice(0, 2));
  }
  const theorem = [...document.querySelectorAll("table.headlines tr")].find(r => r.querySelector("td code")?.textContent === "gcd-thm-4.2");
  check(/times/.test(theorem.cells[2].textContent), "Theorem 4.2 of DP-GCD fails by no number");
  const instead = $(theorem.cells[3].querySelector("a")?.hash.slice(1));
  check(["proved", "argued"].includes(instead?.dataset.verdict), "what to use instead of it does not hold");

  /* Two clicks at most to a counterexample. */
  let most = 0;
  for (const row of failing) {
    const id = row.querySelector("code").textContent;
    const point = () => [...($(id)?.querySelectorAll("p") ?? [])].find(p => /^(Fails at|Only trivial problems satisfy)/.test(p.textContent));
    let clicks = 0;
    for (const what of [row.querySelector("a"), $(id)?.querySelector("summary")]) {
      if (seen(point())) break;
      what?.click();
      clicks += 1;
      await later();
    }
    check(seen(point()), `${id}: no counterexample after two clicks`);
    most = Math.max(most, clicks);
  }
  say("clicks", most);

  /* Findings and rows lead to each other, and what is read defines its symbols. */
  const row = $("gcd-thm-4.2");
  row.open = true;
  await later();
  check(row.querySelector("a[href='#finding-gcd-thm-4.2']"), "the row does not lead to its finding");
  check($("finding-gcd-thm-4.2").querySelector("a[href='#gcd-thm-4.2']"), "the finding does not lead to its row");
  check([...row.querySelectorAll("dfn")].some(d => d.textContent.includes("δ")), "symbols are not defined");

  /* A symbol is found under each of its names. */
  const shown = async text => {
    $("search").value = text;
    $("search").dispatchEvent(new Event("input", { bubbles: true }));
    await later();
    return [...document.querySelectorAll("details[data-verdict]")].filter(seen).map(c => c.id);
  };
  const [letter, name, command] = [await shown("γ"), await shown("gamma"), await shown("\\gamma")];
  check(letter.length > 10 && letter.length < 400, `γ is found ${letter.length} times`);
  check(letter.join() === command.join(), "\\gamma is not γ");
  check(letter.every(id => name.includes(id)), "gamma is not γ");
  const [square, caret, index] = [await shown("R_x²"), await shown("R_x^2"), await shown("λ_max")];
  check(square.length > 0 && square.join() === caret.join(), "R_x² is not R_x^2");
  check(index.length > 0, "λ_max is not found as it is typed");
  $("filters").reset();
  await later();

  /* Formulas are formulas, and no label leaves its picture. */
  for (const details of document.querySelectorAll("details")) details.open = true;
  const all = [...document.querySelectorAll("math")];
  say("formulas", all.length);
  check(all.every(m => m.getBoundingClientRect().width > 2), "an empty formula");
  check(!document.querySelector("merror"), "a formula in error");
  for (const svg of document.querySelectorAll("main svg[role=img]")) {
    const frame = svg.getBoundingClientRect();
    for (const label of svg.querySelectorAll("text")) {
      const box = label.getBoundingClientRect();
      const inside = box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
      check(inside, `cut: ${label.textContent} in ${svg.closest("details, section")?.id}`);
    }
  }
  say("failures", failures.slice(0, 20).join("; "));
  say("done", "yes");
})();
