/** How important another person's answer is. Stored by index, so only append. */
export const importances = ['irrelevant', 'little', 'somewhat', 'very'] as const

export const questionTopics = ['love', 'talking', 'home', 'family', 'plans', 'free_time', 'values'] as const
export type QuestionTopic = (typeof questionTopics)[number]

/**
 * The compatibility questions. Questions and choices are stored by index: only append questions, and choices (at most
 * seven per question); never move, rename or remove any. A question's topic can change. The first ten questions are
 * asked first, so they should cover many topics.
 */
export const questionCatalogue = [
  { id: 'day_rhythm', topic: 'home', choices: ['early', 'late', 'changes'] },
  { id: 'relationship_kind', topic: 'love', choices: ['exclusive', 'open', 'finding_out'] },
  { id: 'disagree', topic: 'talking', choices: ['talk_now', 'cool_first', 'let_rest'] },
  { id: 'tidiness', topic: 'home', choices: ['tidy', 'lived_in', 'cheerful_mess'] },
  { id: 'alone_time', topic: 'home', choices: ['every_day', 'now_and_then', 'hardly'] },
  { id: 'phone_dinner', topic: 'talking', choices: ['put_away', 'quick_look', 'no_problem'] },
  { id: 'children_wish', topic: 'family', choices: ['wish', 'open_to', 'no_wish'] },
  { id: 'free_evening', topic: 'free_time', choices: ['quiet_home', 'with_friends', 'out_somewhere'] },
  { id: 'money_left', topic: 'plans', choices: ['save_it', 'enjoy_it', 'some_of_both'] },
  { id: 'first_bill', topic: 'love', choices: ['split_it', 'who_invited', 'take_turns'] },
  { id: 'messages_day', topic: 'talking', choices: ['all_day', 'some_times', 'when_needed'] },
  { id: 'pets_home', topic: 'home', choices: ['gladly', 'depends', 'rather_not'] },
  { id: 'show_love', topic: 'love', choices: ['words', 'time', 'touch', 'deeds'] },
  { id: 'make_up', topic: 'talking', choices: ['same_day', 'after_sleep', 'takes_time'] },
  { id: 'travel_style', topic: 'free_time', choices: ['planned', 'open_road', 'near_home'] },
  { id: 'faith_daily', topic: 'values', choices: ['important', 'somewhat', 'not_much'] },
  { id: 'politics_table', topic: 'values', choices: ['with_pleasure', 'sometimes', 'rather_not'] },
  { id: 'home_place', topic: 'plans', choices: ['big_city', 'small_town', 'countryside'] },
  { id: 'living_together', topic: 'home', choices: ['before_long', 'in_time', 'own_places'] },
  { id: 'marriage', topic: 'love', choices: ['wish_for', 'open_to', 'not_for_me'] },
  { id: 'exes', topic: 'love', choices: ['fine', 'if_i_know', 'uneasy'] },
  { id: 'housework', topic: 'home', choices: ['clear_plan', 'who_sees_it', 'what_one_likes'] },
  {
    id: 'saturday',
    topic: 'free_time',
    choices: ['slow_breakfast', 'outdoors', 'seeing_people', 'getting_things_done'],
  },
  { id: 'cooking', topic: 'home', choices: ['me_gladly', 'side_by_side', 'not_me'] },
  { id: 'food_curious', topic: 'home', choices: ['anything', 'some_things', 'the_familiar'] },
  { id: 'meat_home', topic: 'home', choices: ['often', 'now_and_then', 'never'] },
  { id: 'smoke_home', topic: 'home', choices: ['inside', 'on_the_balcony', 'nowhere'] },
  { id: 'party_end', topic: 'free_time', choices: ['before_midnight', 'last_to_leave', 'not_a_party_person'] },
  { id: 'punctual', topic: 'talking', choices: ['ten_to', 'exactly', 'quarter_past'] },
  { id: 'family_calls', topic: 'family', choices: ['most_days', 'every_week', 'now_and_then'] },
  { id: 'big_holidays', topic: 'family', choices: ['with_family', 'with_friends', 'the_couple', 'far_away'] },
  { id: 'public_affection', topic: 'love', choices: ['of_course', 'holding_hands', 'in_private'] },
  { id: 'physical_closeness', topic: 'love', choices: ['very', 'among_other_things', 'grows_slowly'] },
  { id: 'sleeping', topic: 'love', choices: ['close_together', 'own_blanket', 'own_room'] },
  { id: 'hard_day', topic: 'talking', choices: ['listening', 'advice', 'distraction', 'quiet'] },
  { id: 'honest_haircut', topic: 'talking', choices: ['kindly_say', 'find_something_nice', 'if_asked_twice'] },
  { id: 'shared_money', topic: 'plans', choices: ['one_account', 'both', 'own_accounts'] },
  { id: 'phone_code', topic: 'talking', choices: ['yes_both', 'emergencies', 'mine_is_mine'] },
  { id: 'couple_photos', topic: 'love', choices: ['gladly', 'ask_first', 'rather_not'] },
  { id: 'big_decision', topic: 'plans', choices: ['gut_feeling', 'sleep_on_it', 'talk_it_over'] },
  { id: 'leave_job', topic: 'plans', choices: ['yes_leap', 'with_savings', 'stay_safe'] },
  { id: 'work_meaning', topic: 'plans', choices: ['a_calling', 'a_good_part', 'pays_for_life'] },
  { id: 'work_evenings', topic: 'plans', choices: ['often', 'if_urgent', 'never'] },
  { id: 'plan_ahead', topic: 'plans', choices: ['months', 'weeks', 'as_it_comes'] },
  { id: 'sudden_trip', topic: 'free_time', choices: ['bag_packed', 'next_week', 'no_thanks'] },
  { id: 'move_for_love', topic: 'plans', choices: ['yes', 'perhaps', 'no'] },
  { id: 'long_distance', topic: 'love', choices: ['worth_it', 'for_a_while', 'not_for_me'] },
  { id: 'partners_friends', topic: 'family', choices: ['become_mine', 'see_them_sometimes', 'separate'] },
  { id: 'hosting', topic: 'family', choices: ['open_door', 'now_and_then', 'rarely'] },
  { id: 'surprise_party', topic: 'family', choices: ['love_it', 'only_small', 'please_no'] },
  {
    id: 'presents',
    topic: 'values',
    choices: ['small_and_thoughtful', 'time_together', 'something_useful', 'no_presents'],
  },
  { id: 'i_love_you', topic: 'love', choices: ['early', 'when_sure', 'shown_not_said'] },
  { id: 'jokes_in_trouble', topic: 'talking', choices: ['it_helps', 'a_little_later', 'better_serious'] },
  { id: 'silence_car', topic: 'talking', choices: ['comfortable', 'time_for_music', 'time_to_talk'] },
  { id: 'watch_ahead', topic: 'free_time', choices: ['never_ever', 'if_asked', 'each_own_pace'] },
  { id: 'lose_game', topic: 'free_time', choices: ['laugh', 'rematch', 'grumpy'] },
  { id: 'lost_city', topic: 'free_time', choices: ['ask_somebody', 'look_at_map', 'wander_on'] },
  { id: 'holiday_place', topic: 'free_time', choices: ['sea', 'mountains', 'a_city'] },
  { id: 'tent', topic: 'free_time', choices: ['love_it', 'for_a_night', 'a_real_bed'] },
  { id: 'move_body', topic: 'free_time', choices: ['most_days', 'now_and_then', 'rarely'] },
  { id: 'dance_floor', topic: 'free_time', choices: ['go_first', 'when_others_do', 'watch'] },
  { id: 'music_home', topic: 'home', choices: ['nearly_always', 'sometimes', 'i_like_quiet'] },
  { id: 'first_coffee', topic: 'home', choices: ['chatty', 'slowly', 'please_wait'] },
  { id: 'old_things', topic: 'values', choices: ['keep_them', 'pass_them_on', 'repair_them'] },
  { id: 'environment', topic: 'values', choices: ['a_lot', 'where_i_can', 'not_much'] },
  { id: 'helping', topic: 'values', choices: ['regularly', 'now_and_then', 'not_now'] },
  { id: 'past_relationships', topic: 'love', choices: ['openly', 'a_little', 'rather_not'] },
  { id: 'counselling', topic: 'talking', choices: ['yes_early', 'if_needed', 'on_our_own'] },
  { id: 'raising_children', topic: 'family', choices: ['clear_rules', 'much_freedom', 'warm_middle'] },
  { id: 'small_children', topic: 'family', choices: ['share_equally', 'take_turns', 'helping_hands'] },
  { id: 'learn_language', topic: 'values', choices: ['of_course', 'some_words', 'one_we_share'] },
  { id: 'own_birthday', topic: 'family', choices: ['celebrate', 'a_small_circle', 'an_ordinary_day'] },
  { id: 'being_ill', topic: 'home', choices: ['look_after_me', 'leave_me_in_peace', 'carry_on'] },
] as const satisfies readonly { id: string; topic: QuestionTopic; choices: readonly string[] }[]

type QuestionId = (typeof questionCatalogue)[number]['id']

/**
 * Answers that reveal religion, politics or sex life need separate consent (GDPR, article 9), which is given by
 * answering. The database identifies these questions by index; a test compares the two lists.
 */
export const sensitiveQuestions: readonly QuestionId[] = ['faith_daily', 'politics_table', 'physical_closeness']
