import { promised } from '@duet/contract/promised.ts'

/**
 * All hand-chosen numbers of ranking. The page "How matching works" and the operator's view show this list, so renaming
 * one here renames it there.
 */
export const matchingConstants = {
  /** lambda: how strongly pending likes lower a person's rank to make room for others. */
  congestionWeight: 3,
  /**
   * The lower bound of the average number of pending likes, so that a single like isn't a crowd when hardly any are
   * pending.
   */
  usualPendingLeast: 3,
  /** The most that pending likes can cost, in logarithms of the match probability. */
  congestionMost: 8,
  /** The probability that someone who passed on the viewer would say yes now: passes can be undone. */
  secondThoughts: 0.02,
  /** How many new matches people answer in a day, and how likely they answer further ones: assumed, not learned yet. */
  answeredADay: 2,
  answeredBeyond: 0.2,
  /** kappa: what a day of absence costs, in logarithms of the match probability. */
  inactivityPerDay: 0.03,
  /** The most days of absence that count. */
  inactivityDaysMost: 60,
  /** The days of absence assumed for people who hide their presence. */
  hiddenPresenceDays: 7,
  /** How far the effect of being liked often can move a score, in either direction, in logits. */
  receivesLimit: 1.5,
  /** How far one decision can move that effect, in either direction, in logits. */
  lessonMost: 0.5,
  /** How many likes without a comment a like with one counts as, in training. */
  wordsWeight: 2,
  /** The variance of how often people say yes, before training has estimated it. */
  saysVariance: 2,
  /** The same for how often people are liked. */
  receivesVariance: 1,
  /** How far interests can move a person's expectation, in either direction, in logits. */
  expectedMost: 0.3,
  /** Slots are filled and shuffled in blocks of this size. */
  blockSize: 10,
  /** Exploring slots per block. */
  exploreSlots: 1,
  /** The most slots per block for people who like the viewer. */
  receivedSlots: 3,
  deckSize: 50,
  /** The most cards in a row with the same first reason. */
  sameReasonInRow: 2,
  /** How often a newcomer is shown before they lose their share of the exploring slots. */
  newcomerImpressions: 50,
  /** How long a person is a newcomer, in hours. */
  newcomerHours: 48,
  /** The share of exploring slots for newcomers who were shown less often than that. */
  newcomerShare: 0.8,
  /** How many of the best are scored a second time, with their answers to the questions. */
  refinedCandidates: 200,
  /** The weights of the importances 0 to 3 of questions. */
  irrelevantWeight: 0,
  littleWeight: 1,
  somewhatWeight: 10,
  veryWeight: 50,
  /** The weight of the prior: with few common questions, agreement stays near one half. */
  questionsPrior: 25,
  /** How many common questions make agreement a reason. */
  questionsLeast: 5,
  /** The share of them that must agree. */
  questionsAgreed: 0.6,
  reasonsMost: 3,
  /** The farthest distance bucket that is a reason, in km. */
  nearKm: 10,
  /** The weights of being active today and of being new among the reasons, in logits. */
  activeTodayWeight: 0.2,
  newHereWeight: 0.1,
  /** How rare a language must be to be a reason: the logarithm of one over the share of people who speak it. */
  rareLanguage: 1.5,
  /**
   * Training: how many days it looks back, how many people it draws, how many decisions of each it reads before and
   * during the validation days (more if fewer people decide), and how many days validate.
   */
  trainingDays: promised.learningDays,
  trainingPeople: 3_000,
  trainingDecisionsEach: 100,
  validationDays: 7,
  /** The fewest decisions needed for training and for validation. */
  trainingLeast: 500,
  validationLeast: 100,
  /** The fewest likes, and the fewest passes, that either part needs to reveal preferences. */
  eachAnswerLeast: 10,
  /** How many viewers with decisions on exploring cards are needed to judge a model by these cards. */
  explorersLeast: 30,
  /** How strongly weights are pulled towards their hand-set values (ridge penalty). */
  trainingPenalty: 100,
  /** How many versions are kept to return to. */
  modelsKept: 5,
} as const
