import { promised } from '@duet/contract/promised.ts'

/**
 * Every number of ranking that was chosen by hand. The page "How matching works" and the operator's view are made from
 * this list, so a name here is a name there.
 */
export const matchingConstants = {
  /** lambda: how strongly likes that wait for a person's answer make room for others. */
  congestionWeight: 3,
  /** The least value for the average number of waiting likes: where hardly any wait, one is no crowd. */
  usualPendingLeast: 3,
  /** What likes that wait may cost at most, in logarithms of the probability of a match. */
  congestionMost: 8,
  /** How likely a person who passed on the viewer would say yes now: passes can be taken back. */
  secondThoughts: 0.02,
  /** New matches that people answer in a day, and how likely further ones are answered: assumed, not learned yet. */
  answeredADay: 2,
  answeredBeyond: 0.2,
  /** kappa: what a day of absence costs, in logarithms of the probability of a match. */
  inactivityPerDay: 0.03,
  /** Days of absence that count at most. */
  inactivityDaysMost: 60,
  /** Days of absence that count for those who keep it to themselves when they are here. */
  hiddenPresenceDays: 7,
  /** How far the effect of being liked often may move a score, either way, in logits. */
  receivesLimit: 1.5,
  /** How far one person's decision may move that effect, either way, in logits. */
  lessonMost: 0.5,
  /** How many likes without words one with words counts as, where it is learned how people decide. */
  wordsWeight: 2,
  /** Variance of how often people say yes, before they decided and before training has estimated it. */
  saysVariance: 2,
  /** Variance of how often people are said yes to. */
  receivesVariance: 1,
  /** How far someone's interests may move what is expected of them before they decide, either way, in logits. */
  expectedMost: 0.3,
  /** Slots that are filled and mixed together. */
  blockSize: 10,
  /** Slots of a block that explore. */
  exploreSlots: 1,
  /** Slots of a block that may be taken by people who like the viewer. */
  receivedSlots: 3,
  /** Slots in a deck. */
  deckSize: 50,
  /** Cards in a row that may have the same first reason. */
  sameReasonInRow: 2,
  /** Times a newcomer is shown before others explore. */
  newcomerImpressions: 50,
  /** Hours for which a person is a newcomer. */
  newcomerHours: 48,
  /** Share of the exploring slots that go to newcomers who were not shown that often yet, while there are any. */
  newcomerShare: 0.8,
  /** People who are looked at closely, with their answers to the questions, after the first pass. */
  refinedCandidates: 200,
  /** How much importance of questions 0 to 3 weighs. */
  irrelevantWeight: 0,
  littleWeight: 1,
  somewhatWeight: 10,
  veryWeight: 50,
  /** Weight of not knowing: few common questions count half agreed. */
  questionsPrior: 25,
  /** Questions both answered before an agreement is a reason. */
  questionsLeast: 5,
  /** Share of them that must agree. */
  questionsAgreed: 0.6,
  /** Reasons on a card. */
  reasonsMost: 3,
  /** Up to this bucket being near is a reason, in km. */
  nearKm: 10,
  /** What being here today, and being new, weigh among the reasons, in logits. */
  activeTodayWeight: 0.2,
  newHereWeight: 0.1,
  /** How rare a language must be to be a reason: the logarithm of one over the share of people who speak it. */
  rareLanguage: 1.5,
  /**
   * Training: days it looks back, people it draws, decisions of each (more where fewer people decide) before and in the
   * days that measure what was learned.
   */
  trainingDays: promised.learningDays,
  trainingPeople: 3_000,
  trainingDecisionsEach: 100,
  validationDays: 7,
  /** Decisions without which nothing is trained: to learn from, and to measure by. */
  trainingLeast: 500,
  validationLeast: 100,
  /** The fewest likes, and the fewest passes, that either part needs to reveal preferences. */
  eachAnswerLeast: 10,
  /** Viewers with decisions on exploring cards that are needed before a model is judged by these cards. */
  explorersLeast: 30,
  /** How strongly a weight is held to what it was set to by hand (ridge). */
  trainingPenalty: 100,
  /** Versions that can be returned to. */
  modelsKept: 5,
} as const
