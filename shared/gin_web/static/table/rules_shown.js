// What is played for at this table, in a few words beside the score: nobody has to know the name of a rule set.

/** Phrases such as `Gin 25`, `undercut 25`, those that everybody expects first. */
export function rulesInWords(game, rules) {
  return game === "word" ? wordRules(rules) : rummyRules(rules);
}

/** Those of them that not everybody expects. */
export function unusual(game, rules) {
  return game === "word" ? [] : rummyVariants(rules);
}

function rummyRules(rules) {
  const usual = [`gin ${rules.gin_bonus}`, !isStraight(rules) && `undercut ${rules.undercut_bonus}`];
  return [...usual.filter(Boolean), ...rummyVariants(rules)];
}

const isStraight = (rules) => rules.knock_limit === 0 && !rules.oklahoma;

function rummyVariants(rules) {
  return [
    rules.big_gin && `big gin ${rules.big_gin_bonus}`,
    isStraight(rules) && "only gin ends a hand",
    rules.oklahoma &&
      `Oklahoma: the upcard sets the knock limit, an ace ${rules.oklahoma_ace === "gin" ? "asks for gin" : "is 1"}`,
    rules.oklahoma_spades !== "none" &&
      `a spade upcard doubles ${rules.oklahoma_spades === "all" ? "the hand" : "deadwood points"}`,
    rules.scoring === "hollywood" && "Hollywood: three games at once",
    rules.match_bonuses === "traditional" && "game, shutout and hand bonuses at the end",
    rules.layoffs === "manual" && "the defender lays off by hand",
    rules.buried_draw && "a buried discard may be taken with all above it",
    { recycle: "the discards become a new stock", one: "the hand ends with one card in the stock" }[rules.stock_end],
  ].filter(Boolean);
}

function wordRules(rules) {
  return [
    `Gin ${rules.gin_bonus}`,
    `longest word ${rules.longest_word_bonus} a letter`,
    `a challenge wins or costs ${rules.challenge_factor} × the word`,
    rules.return_ban && "a card just taken stays that turn",
  ].filter(Boolean);
}
