/** Letters and signs by the names that LaTeX, and Org after it, have for them. */
const ROWS = `
alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ vartheta ϑ iota ι kappa κ lambda λ mu μ nu ν xi ξ pi π rho ρ varrho ϱ
sigma σ varsigma ς tau τ upsilon υ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π Sigma Σ Upsilon Υ Phi Φ Psi Ψ Omega Ω
leq ≤ le ≤ geq ≥ ge ≥ neq ≠ ne ≠ approx ≈ sim ∼ simeq ≃ equiv ≡ propto ∝ ll ≪ gg ≫ pm ± mp ∓ times × cdot · div ÷ ast ∗ star ⋆ circ ∘ bullet •
in ∈ notin ∉ ni ∋ subset ⊂ subseteq ⊆ supset ⊃ supseteq ⊇ cup ∪ cap ∩ setminus ∖ emptyset ∅ varnothing ∅ forall ∀ exists ∃ neg ¬ lnot ¬ land ∧ wedge ∧ lor ∨ vee ∨
to → rightarrow → leftarrow ← leftrightarrow ↔ Rightarrow ⇒ Leftarrow ⇐ Leftrightarrow ⇔ iff ⇔ implies ⇒ mapsto ↦ longrightarrow → uparrow ↑ downarrow ↓
infty ∞ partial ∂ nabla ∇ sum ∑ prod ∏ int ∫ oint ∮ sqrt √ angle ∠ perp ⊥ parallel ∥ oplus ⊕ otimes ⊗ ell ℓ hbar ℏ Re ℜ Im ℑ prime ′ degree ° celsius °C
ldots … dots … cdots … vdots ⋮ textellipsis … langle ⟨ rangle ⟩ lfloor ⌊ rfloor ⌋ lceil ⌈ rceil ⌉ mid | vert | Vert ‖ lvert | rvert | lVert ‖ rVert ‖
euro € EUR € texteuro € pounds £ textsterling £ textyen ¥ copyright © textcopyright © textregistered ® texttrademark ™ S § P ¶ dag † ddag ‡ textdegree ° textmu μ texttimes × textpm ±
ss ß SS SS ae æ AE Æ oe œ OE Œ o ø O Ø l ł L Ł aa å AA Å i ı j ȷ dh ð th þ checkmark ✓ textbullet • textendash – textemdash — textasciitilde ~ textbackslash \\ textasciicircum ^
textbar | textless < textgreater > textunderscore _ textquotedblleft “ textquotedblright ” textquoteleft ‘ textquoteright ’ glqq „ grqq “ flqq « frqq » guillemotleft « guillemotright »
LaTeX LaTeX TeX TeX LaTeXe LaTeX BibTeX BibTeX quad ␣ qquad ␣ nbsp ␣ space ␣ enspace ␣ thinspace ␣ slash / lbrace { rbrace } colon :
`;

export const SYMBOLS = signsByName(ROWS);

/** Returns what stands behind each name of a table, in which `␣` is a space. @param {string} rows @returns {ReadonlyMap<string, string>} */
export function signsByName(rows) {
  return new Map(
    rows
      .trim()
      .split(/[ \n]+/u)
      .flatMap((name, i, all) =>
        i % 2 === 0 ? [/** @type {[string, string]} */ ([name, (all[i + 1] ?? '').replace('␣', ' ')])] : [],
      ),
  );
}
