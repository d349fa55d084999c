import { promised } from '@duet/contract/promised.ts'

/**
 * All hand-chosen numbers of ranking. The page "How matching works" and the operator's view show this list, so renaming
 * one here renames it there.
 */
export const matchingConstants = {
  /** lambda: how strongly pending likes lower a person's rank to make room for others. */
  congestionWeight: 3,
  /**
   * The lower bound of the average number of pending likes. Without it, a single pending like would count as congestion
   * while hardly anyone has any.
   */
  usualPendingLeast: 3,
  /** The largest penalty for pending likes, in logarithms of the match probability. */
  congestionMost: 8,
  /** The probability that someone who passed on the viewer likes them after all, because passes can be undone. */
  secondThoughts: 0.02,
  /**
   * How many new matches a person answers per day, and the probability that they answer any further match. Assumed, not
   * learned yet.
   */
  answeredADay: 2,
  answeredBeyond: 0.2,
  /** kappa: the penalty for each day of absence, in logarithms of the match probability. */
  inactivityPerDay: 0.03,
  inactivityDaysMost: 60,
  /** The days of absence assumed for people who hide their presence. */
  hiddenPresenceDays: 7,
  /** How far the effect of being liked often can move a score, in either direction, in logits. */
  receivesLimit: 1.5,
  /** How far one decision can move that effect, in either direction, in logits. */
  lessonMost: 0.5,
  /** In training, a like with a comment counts as this many likes without one. */
  wordsWeight: 2,
  /** The variance, before any training, of how often people like others. */
  saysVariance: 2,
  /** The variance, before any training, of how often people are liked. */
  receivesVariance: 1,
  /** How far interests can shift the prior mean of an effect, in either direction, in logits. */
  expectedMost: 0.3,
  blockSize: 10,
  exploreSlots: 1,
  receivedSlots: 3,
  deckSize: 50,
  sameReasonInRow: 2,
  /** A newcomer loses priority in exploration slots after this many impressions. */
  newcomerImpressions: 50,
  newcomerHours: 48,
  /** The share of exploration slots that goes to newcomers with fewer impressions. */
  newcomerShare: 0.8,
  /** How many of the best candidates are scored again with their answers to the questions. */
  refinedCandidates: 200,
  /** The weights of a question's importance, from 0 to 3. */
  irrelevantWeight: 0,
  littleWeight: 1,
  somewhatWeight: 10,
  veryWeight: 50,
  /** The weight of the prior: with few common questions, agreement stays near 0.5. */
  questionsPrior: 25,
  /** How many questions two people must both have answered for their agreement to be a reason. */
  questionsLeast: 5,
  /** The share of common questions on which they must agree. */
  questionsAgreed: 0.6,
  reasonsMost: 3,
  /** The farthest distance bucket that counts as a reason, in km. */
  nearKm: 10,
  /** How much being active today and being new weigh among the reasons, in logits. */
  activeTodayWeight: 0.2,
  newHereWeight: 0.1,
  /** How rare a language must be to count as a reason: ln(1 / share of people who speak it). */
  rareLanguage: 1.5,
  /**
   * Training looks back `trainingDays`, samples `trainingPeople` and reads `trainingDecisionsEach` decisions of each
   * before and during the last `validationDays`, which validate the result. It reads more of each if fewer people
   * decide.
   */
  trainingDays: promised.learningDays,
  trainingPeople: 3_000,
  trainingDecisionsEach: 100,
  validationDays: 7,
  trainingLeast: 500,
  validationLeast: 100,
  /** The fewest likes, and the fewest passes, needed both in training and in validation. */
  eachAnswerLeast: 10,
  /** How many viewers must have decided about exploration cards before these cards can judge a model. */
  explorersLeast: 30,
  /** How strongly weights are pulled towards their hand-set values (ridge penalty). */
  trainingPenalty: 100,
  modelsKept: 5,
} as const
