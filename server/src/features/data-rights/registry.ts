// biome-ignore-all lint/style/noExcessiveLinesPerFile: one table with a row for each table of the database (decision 016).

/**
 * The personal data in every table: what an export contains and what an erasure deletes. A test compares this with the
 * migrated schema, so each new table, and each new column that could identify a person, needs an entry.
 */

export type ErasureRule =
  /** A foreign key deletes the rows together with the account. */
  | 'goes with the account'
  /** This statement deletes or anonymises the rows. $1 is the user id, $2 the address. */
  | { run: string }
  /** The rows stay, for this reason. */
  | { kept: string }

export interface Exported {
  as: string
  /** The columns of which at least one has the owner's id, or a condition in which $1 is the person. */
  own: readonly string[] | { where: string }
  columns: readonly string[]
  /** Additional exported values by name. In these expressions $1 is the person and t the row. */
  more?: Readonly<Record<string, string>>
  /** Columns that aren't exported, because they are secret or technical. */
  left?: readonly string[]
  /**
   * An expression for the id of the other person in a row. The export contains that person's display name, and the row
   * only if the viewer can see them.
   */
  other?: string
}

export type Exporting = Exported | readonly Exported[] | { nothing: string }

export interface Registered {
  /** All columns that could identify a person: user ids, addresses, and JSON that may contain either. */
  people: readonly string[]
  /** Columns with ids or JSON that can't identify anyone. */
  impersonal?: readonly string[]
  exports: Exporting
  erased: ErasureRule
}

const account = 'goes with the account'
const aboutNoOne = { nothing: 'it is about no one' }
const derived = { nothing: 'it is made of what the export has already' }
const peerOfConversation = `(select case when c.user_lo = $1::uuid then c.user_hi else c.user_lo end
  from conversations c where c.id = conversation_id)`
/** The person's own half, or the other person's half, of a pair of columns such as read_lo and read_hi. */
const own = (name: string, half: 'mine' | 'theirs') => `(select case c.user_lo when $1::uuid
  then ${half === 'mine' ? `${name}_lo else ${name}_hi` : `${name}_hi else ${name}_lo`} end
  from conversations c where c.id = t.conversation_id)`
const stays = { kept: 'it is about no one' }

export const registry: Record<string, Registered> = {
  account_recovery_codes: {
    people: ['user_id'],
    exports: { nothing: 'hashes of codes to sign in with' },
    erased: account,
  },
  account_signals: {
    people: ['user_id'],
    exports: {
      nothing: 'keyed hashes of what the export has already, and of a network; no one can be read out of them',
    },
    erased: account,
  },
  accounts: {
    people: ['id', 'email'],
    exports: {
      as: 'account',
      own: ['id'],
      columns: [
        ...['id', 'email', 'terms_accepted_at', 'created_at', 'standing', 'standing_until', 'erase_at', 'language'],
        ...['password_set_at', 'news_mailed_at', 'is_super_admin'],
      ],
      left: ['password_hash', 'unseen'],
    },
    erased: account,
  },
  address_changes: {
    people: ['user_id', 'email'],
    exports: {
      as: 'addressChange',
      own: ['user_id'],
      columns: ['email', 'created_at', 'expires_at'],
      left: ['code_hash', 'tries'],
    },
    erased: account,
  },
  address_undos: {
    people: ['user_id', 'email'],
    impersonal: ['id'],
    exports: { as: 'earlierAddresses', own: ['user_id'], columns: ['email', 'created_at', 'expires_at'] },
    erased: account,
  },
  answer_sheets: {
    people: ['user_id'],
    exports: { as: 'answers', own: ['user_id'], columns: ['sheet'] },
    erased: account,
  },
  // `decided_by` stays as an id. The audit log also names the administrator.
  appeals: {
    people: ['user_id', 'decided_by'],
    impersonal: ['id', 'sanction_id'],
    exports: {
      as: 'appeals',
      own: ['user_id'],
      columns: ['text', 'created_at', 'state', 'answer', 'decided_at'],
      left: ['decided_by'],
    },
    erased: {
      run: `with gone as (delete from appeals where user_id = $1::uuid and state = 'open')
        update appeals set user_id = gen_random_uuid(), text = '', answer = '' where user_id = $1::uuid and state <> 'open'`,
    },
  },
  attachments: {
    people: ['owner_id'],
    impersonal: ['id', 'conversation_id'],
    exports: {
      as: 'attachments',
      own: ['owner_id'],
      columns: ['id', 'kind', 'file_name', 'width', 'height', 'duration_ms', 'created_at'],
      left: ['blurhash', 'waveform'],
      other: peerOfConversation,
    },
    erased: account,
  },
  audit_log: {
    people: ['actor_id', 'target', 'details'],
    exports: {
      nothing: 'it is the record of what administrators did; what they decided about someone is told with reasons',
    },
    erased: {
      kept: 'the record of what administrators did is one sealed chain: ids, which mean nothing any more, and reasons in words, for which the console asks for no names',
    },
  },
  banned_addresses: {
    people: [],
    exports: { nothing: 'it is about accounts that are gone: no one has anything in it to export' },
    erased: { kept: 'a ban goes on for people who come back: keyed hashes of mailboxes, until it is over' },
  },
  blocks: {
    people: ['blocker_id', 'blocked_id', 'linked_to'],
    exports: {
      as: 'blocks',
      own: { where: 'blocker_id = $1::uuid and linked_to is null and listed' },
      columns: ['created_at'],
      left: ['listed'],
      other: 'blocked_id',
    },
    // `linked_to` remains as an id without an account, because the block continues for another account.
    erased: account,
  },
  candidate_changes: {
    people: ['user_id'],
    exports: derived,
    erased: { run: 'delete from candidate_changes where user_id = $1::uuid' },
  },
  candidates: { people: ['user_id'], exports: derived, erased: account },
  claims: {
    people: ['admin_id', 'target'],
    exports: { nothing: 'what an administrator is working on at the moment' },
    erased: { run: 'delete from claims where position($1::text in target) > 0' },
  },
  consents: {
    people: ['user_id'],
    exports: {
      as: 'consents',
      own: ['user_id'],
      columns: ['purpose', 'version', 'granted_at', 'withdrawn_at'],
      left: ['id'],
    },
    erased: account,
  },
  conversation_members: {
    people: ['user_id', 'peer_id'],
    impersonal: ['conversation_id'],
    exports: {
      as: 'conversations',
      // Excludes conversations that the viewer can't see: ones that only the other person opened, and held ones.
      own: {
        where: `user_id = $1::uuid and listed and not exists (
          select from conversations c where c.id = conversation_id and c.held_from <> $1::uuid)`,
      },
      columns: ['conversation_id', 'listed', 'muted', 'archived', 'accepted'],
      more: { readUpTo: own('c.read', 'mine') },
      left: ['changed'],
      other: 'peer_id',
    },
    erased: account,
  },
  conversations: {
    people: ['user_lo', 'user_hi', 'held_from'],
    impersonal: ['id'],
    exports: { nothing: 'its members and its messages are told' },
    erased: account,
  },
  data_exports: {
    people: ['user_id'],
    exports: { nothing: 'it is about the export itself' },
    erased: account,
  },
  decisions: {
    people: ['actor_id', 'target_id'],
    exports: [
      {
        as: 'decisions',
        own: ['actor_id'],
        columns: ['decision', 'item_kind', 'item_text', 'comment', 'decided_at'],
        left: ['item_id', 'held', 'waits_for_place', 'comment_at'],
        other: 'target_id',
      },
      {
        as: 'likesReceived',
        own: { where: `target_id = $1::uuid and decision = 'like' and not held` },
        columns: ['item_kind', 'item_text', 'decided_at'],
        // Comments from suspected spammers are withheld here, as they are in lists.
        more: {
          comment: `case when exists (select from sanctions s where s.user_id = t.actor_id and s.kind = 'shadow'
            and coalesce(s.lifted_as, 'ended') = 'ended') then null else t.comment end`,
        },
        other: 'actor_id',
      },
    ],
    erased: account,
  },
  decks: {
    people: ['user_id', 'slots'],
    exports: derived,
    erased: {
      run: `delete from decks where user_id = $1::uuid or slots @> jsonb_build_array(jsonb_build_object('id', $1::text))`,
    },
  },
  declined_contacts: {
    people: [],
    exports: { nothing: 'keyed hashes of addresses that want no mail about dates; no one can be read out of them' },
    erased: { kept: 'it keeps mails away from an address, and holds none' },
  },
  deletion_ledger: {
    people: ['user_id'],
    exports: { nothing: 'people in it have nothing left to export' },
    erased: { kept: 'it is the one trace, and is what keeps a restored backup from bringing someone back' },
  },
  demo_people: { people: ['user_id'], exports: aboutNoOne, erased: account },
  earlier_mailboxes: {
    people: ['user_id'],
    exports: { nothing: 'keyed hashes of mailboxes and of accounts elsewhere; no one can be read out of them' },
    erased: account,
  },
  files_to_remove: {
    people: [],
    impersonal: ['key'],
    exports: { nothing: 'names of files whose rows are gone, for the minutes until they are gone too' },
    erased: { kept: 'names of files that mean nothing by themselves, and are gone within minutes' },
  },
  former_names: {
    people: ['user_id', 'name'],
    exports: { as: 'formerNames', own: ['user_id'], columns: ['name', 'until'] },
    erased: account,
  },
  identities: {
    people: ['user_id', 'subject'],
    impersonal: ['id'],
    exports: {
      as: 'linkedAccounts',
      own: ['user_id'],
      columns: ['issuer', 'subject', 'created_at', 'removed_at'],
    },
    erased: account,
  },
  identity_proofs: {
    people: ['subject', 'email'],
    exports: { nothing: 'what a provider has said of a browser, for half an hour at most' },
    erased: { run: 'delete from identity_proofs where email = $2' },
  },
  impressions: {
    people: ['viewer_id', 'target_id'],
    exports: {
      as: 'shownToMe',
      own: ['viewer_id'],
      columns: ['shown_at', 'slot'],
      left: ['deck_at', 'slot_kind', 'propensity', 'model_version', 'distance_km'],
      other: 'target_id',
    },
    erased: account,
  },
  inactivity_warnings: {
    people: ['user_id'],
    exports: { as: 'inactivityWarnings', own: ['user_id'], columns: ['warned_at'] },
    erased: account,
  },
  kept_sanctions: {
    people: [],
    impersonal: ['sanction_id'],
    exports: { nothing: 'it is about accounts that are gone: no one has anything in it to export' },
    erased: { kept: 'a sanction goes on for people who come back: keyed hashes of mailboxes, until it is over' },
  },
  known_devices: {
    people: ['user_id'],
    exports: { as: 'knownDevices', own: ['user_id'], columns: ['seen_at'], left: ['device_hash'] },
    erased: account,
  },
  lessons: {
    people: ['actor_id', 'target_id'],
    exports: {
      nothing: 'a queue of decisions, which the export has, and a mark on pairs whose decision has changed since',
    },
    erased: account,
  },
  like_days: {
    people: ['user_id'],
    exports: { as: 'likeDay', own: ['user_id'], columns: ['starts_at', 'ends_at'] },
    erased: account,
  },
  like_news: {
    people: ['actor_id', 'target_id'],
    exports: { nothing: 'when a person was last notified of another one, for a day or two' },
    erased: account,
  },
  locations: {
    people: ['user_id'],
    exports: {
      as: 'location',
      own: ['user_id'],
      columns: [
        ...['cell', 'published_cell', 'latitude', 'longitude', 'area', 'wide_latitude', 'wide_longitude', 'wide_area'],
        ...['publish_at', 'published_at'],
      ],
    },
    erased: account,
  },
  mail_stops: {
    people: ['user_id'],
    exports: { as: 'stoppedMails', own: ['user_id'], columns: ['mail_group', 'stopped_at'] },
    erased: account,
  },
  matches: {
    people: ['user_lo', 'user_hi', 'ended_by'],
    impersonal: ['id'],
    exports: {
      as: 'matches',
      // A match that the viewer wasn't notified of must not be revealed.
      own: {
        where: `$1::uuid in (user_lo, user_hi)
          and not is_unheard(case when user_lo = $1::uuid then user_hi else user_lo end, $1::uuid)`,
      },
      columns: ['matched_at', 'ended_at'],
      left: ['ended_by'],
      other: 'case when user_lo = $1::uuid then user_hi else user_lo end',
    },
    erased: account,
  },
  message_prints: {
    people: ['sender_id', 'receiver_id'],
    exports: { nothing: 'numbers that first messages are compared by for an hour' },
    erased: { run: 'delete from message_prints where $1::uuid in (sender_id, receiver_id)' },
  },
  // Exported only for the sender: the receiver sees the message as deleted.
  message_versions: {
    people: ['sender_id'],
    impersonal: ['conversation_id'],
    exports: {
      as: 'messageVersions',
      own: ['sender_id'],
      columns: ['conversation_id', 'seq', 'body', 'replaced_at', 'kind', 'duration_ms', 'width', 'height'],
      left: ['file_name', 'blurhash', 'waveform'],
      other: peerOfConversation,
    },
    erased: {
      run: `delete from message_versions where conversation_id in (
        select id from conversations where user_lo = $1::uuid or user_hi = $1::uuid)`,
    },
  },
  messages: {
    people: ['sender_id'],
    impersonal: ['conversation_id', 'client_id', 'attachment_id'],
    exports: [
      {
        as: 'messagesSent',
        own: ['sender_id'],
        columns: [
          ...['conversation_id', 'seq', 'body', 'sent_at', 'created_at', 'edited_at', 'deleted_at', 'reply_to'],
          'attachment_id',
        ],
        more: { reaction: own('t.reaction', 'theirs') },
        left: ['revision', 'changed', 'plain'],
        other: peerOfConversation,
      },
      // A received message is personal data of its receiver too, but only its text, not its attachments.
      {
        as: 'messagesReceived',
        own: {
          where: `sender_id <> $1::uuid and conversation_id in (
            select c.id from conversations c where (c.user_lo = $1::uuid or c.user_hi = $1::uuid)
              and (c.held_from is null or c.held_from = $1::uuid))`,
        },
        columns: ['conversation_id', 'seq', 'body', 'sent_at'],
        more: { myReaction: own('t.reaction', 'mine') },
        other: 'sender_id',
      },
    ],
    erased: {
      run: `delete from messages where conversation_id in (
        select id from conversations where user_lo = $1::uuid or user_hi = $1::uuid)`,
    },
  },
  models: { people: [], impersonal: ['weights', 'metrics'], exports: aboutNoOne, erased: stays },
  notification_preferences: {
    people: ['user_id'],
    impersonal: ['in_app', 'push', 'email'],
    exports: {
      as: 'notificationPreferences',
      own: ['user_id'],
      columns: ['in_app', 'push', 'email', 'lock_screen', 'quiet_from', 'quiet_to', 'time_zone'],
    },
    erased: account,
  },
  notifications: {
    people: ['user_id', 'params', 'link', 'collapse_key'],
    impersonal: ['id'],
    exports: {
      as: 'notifications',
      own: ['user_id'],
      columns: ['kind', 'params', 'read', 'created_at', 'pushed_at', 'mailed_at', 'first_at'],
      left: ['claimed_until'],
      // The same expression as in notifications.queries.ts.
      other: `case when link like '/chat/%' or link like '/profile/%' then right(link, 36)
        when collapse_key like 'pair:%' then right(collapse_key, 36) end::uuid`,
    },
    erased: {
      // Deletes other people's notifications that contain the person's id. The person's own are deleted with the
      // account.
      run: `delete from notifications where user_id = $1::uuid or link like '%' || $1 || '%'
        or collapse_key like '%' || $1 || '%' or params::text like '%' || $1 || '%'`,
    },
  },
  passkey_challenges: { people: [], exports: aboutNoOne, erased: stays },
  passkeys: {
    people: ['user_id'],
    impersonal: ['id', 'credential_id', 'name'],
    exports: {
      as: 'passkeys',
      own: ['user_id'],
      columns: ['name', 'is_synced', 'created_at', 'last_used_at'],
      left: ['credential_id', 'public_key', 'counter', 'transports', 'is_second_factor'],
    },
    erased: account,
  },
  photo_prints: { people: ['user_id'], exports: derived, erased: account },
  photos: {
    people: ['user_id', 'reviewed_by'],
    exports: {
      as: 'photos',
      own: ['user_id'],
      columns: ['file_name', 'position', 'state', 'alt', 'width', 'height', 'created_at', 'reviewed_at'],
      left: ['blurhash', 'sha256', 'reviewed_by'],
    },
    erased: account,
  },
  profiles: {
    people: ['user_id', 'name', 'folded_name', 'prompts', 'preferences'],
    exports: {
      as: 'profile',
      own: ['user_id'],
      columns: [
        ...['name', 'birth_date', 'gender', 'gender_text', 'pronouns', 'bio', 'intents', 'interests', 'prompts'],
        ...['interested_in', 'age_min', 'age_max', 'max_distance_km', 'verified', 'last_active_at'],
        ...['created_at', 'height_cm', 'children', 'smoking', 'drinking', 'diet', 'faith', 'languages', 'preferences'],
        ...['paused', 'learn_from_me', 'read_receipts', 'who_may_message', 'incognito', 'hide_distance'],
        ...['hide_presence', 'blur_photos', 'hidden_words'],
      ],
      // `folded_name` repeats the name. The other columns would reveal to people under review that they are hidden
      // (decision 036).
      left: ['appearance_changed_at', 'folded_name', 'found_after', 'hidden'],
    },
    erased: account,
  },
  rate_limits: {
    people: [],
    impersonal: ['key'],
    exports: { nothing: 'counters of how often something was tried, under keyed hashes' },
    erased: { kept: 'keyed hashes, in which no one can be read; gone within a week' },
  },
  recovery_codes: { people: ['user_id'], exports: { nothing: 'hashes of codes to sign in with' }, erased: account },
  reported_mailboxes: {
    people: [],
    exports: { nothing: 'it is about accounts that are gone: no one has anything in it to export' },
    erased: {
      kept: 'what follows from an open report applies to people who come back: keyed hashes, for a year at most',
    },
  },
  reports: {
    people: ['reporter_id', 'reported_id', 'reported_name', 'subject', 'evidence', 'decided_by'],
    exports: {
      as: 'reports',
      own: ['reporter_id'],
      columns: [
        'receipt',
        'reason',
        'details',
        'state',
        'created_at',
        'reported_name',
        'outcome',
        'decided_at',
        'subject',
      ],
      // The evidence is about the other person, so it isn't exported.
      left: ['id', 'severity', 'false_report', 'appearance_seen', 'reported_id', 'evidence', 'decided_by'],
    },
    erased: { kept: 'a report and its evidence stay until a year after it was closed, and are removed then' },
  },
  report_sightings: {
    people: ['evidence'],
    exports: { nothing: 'evidence of reports, which the export has' },
    erased: { kept: 'it is evidence: it stays with its report' },
  },
  restore_drills: { people: [], exports: aboutNoOne, erased: stays },
  reviews: {
    people: ['user_id', 'note', 'decided_by'],
    impersonal: ['id'],
    exports: { nothing: 'what someone should look at; what follows from it is a sanction with its reasons' },
    // The person's own reviews are deleted with the account. Notes of other reviews may contain the person's id as a
    // linked account.
    erased: {
      run: `update reviews set note = replace(note, $1::text, 'an erased account') where position($1::text in note) > 0`,
    },
  },
  sanctions: {
    people: ['user_id', 'item', 'decided_by', 'led_by', 'lifted_by'],
    impersonal: ['id', 'review_id'],
    exports: {
      as: 'sanctions',
      own: { where: `user_id = $1::uuid and kind <> 'shadow'` },
      columns: [
        ...['kind', 'ground', 'statement', 'automated', 'undelivered'],
        ...['created_at', 'ends_at', 'lifted_at', 'lifted_as'],
      ],
      more: { takenAway: `t.item - 'conversationId'` },
      left: ['report_id', 'review_id', 'is_strike', 'decided_by', 'led_by', 'lifted_by'],
    },
    // A trigger clears ids and texts of the person's own messages. Messages to the person that were removed are deleted
    // with their conversations.
    erased: {
      run: `update sanctions set item = item || '{"conversationId": "00000000-0000-0000-0000-000000000000", "body": ""}'
        where user_id <> $1::uuid and item ->> 'conversationId' in (
          select id::text from conversations where user_lo = $1::uuid or user_hi = $1::uuid)`,
    },
  },
  push_keys: { people: [], impersonal: ['public_key'], exports: aboutNoOne, erased: stays },
  push_subscriptions: {
    people: ['user_id'],
    impersonal: ['id', 'session_id', 'public_key'],
    exports: {
      as: 'pushDevices',
      own: ['user_id'],
      columns: ['created_at'],
      left: ['endpoint', 'p256dh', 'auth', 'public_key'],
    },
    erased: account,
  },
  second_factors: {
    people: ['user_id'],
    exports: {
      as: 'secondFactor',
      own: ['user_id'],
      columns: ['created_at', 'confirmed_at'],
      left: ['secret', 'last_step'],
    },
    erased: account,
  },
  sessions: {
    people: ['user_id'],
    impersonal: ['id'],
    exports: {
      as: 'sessions',
      own: ['user_id'],
      columns: [
        'device',
        'created_at',
        'authenticated_at',
        'second_factor_at',
        'last_seen_at',
        'idle_expires_at',
        'expires_at',
        'stays',
      ],
      left: ['token_hash'],
    },
    erased: account,
  },
  settings: { people: [], impersonal: ['key', 'value'], exports: aboutNoOne, erased: stays },
  shared_date_photos: {
    people: [],
    impersonal: ['date_id'],
    exports: { nothing: 'copies of photos of other people, for the pages of dates that the export has' },
    erased: { kept: 'it goes with the date: with the account of its owner, or the day after it' },
  },
  // The other person's first name and photo are kept until a day after the date, even if their account is erased
  // earlier.
  shared_dates: {
    people: ['user_id', 'with_user_id', 'with_name', 'contact_email'],
    impersonal: ['id'],
    exports: {
      as: 'sharedDates',
      own: ['user_id'],
      columns: [
        ...['with_name', 'place', 'at', 'note', 'check_in_minutes', 'check_in_at', 'contact_email', 'created_at'],
        ...['asked_at', 'checked_in_at', 'contact_told_at', 'expires_at'],
      ],
      left: ['with_user_id', 'contact_tries', 'token_hash'],
    },
    erased: account,
  },
  sign_in_codes: {
    people: ['email'],
    exports: { nothing: 'the hash of a code that lives for minutes' },
    erased: { run: 'delete from sign_in_codes where email = $2' },
  },
  standings: {
    people: ['user_id'],
    exports: {
      as: 'learned',
      // The row is created when the person is first shown to someone, so it is exported only once they have decided on
      // someone.
      own: { where: 'user_id = $1::uuid and made > 0' },
      // The remaining columns derive from other people's decisions and decks, so they are those people's data.
      columns: ['says_yes', 'made', 'learns_since'],
      left: [
        ...['is_liked', 'made_weight', 'received_weight', 'received', 'pending', 'pending_at', 'changed'],
        ...['counted_until', 'impressions'],
      ],
    },
    erased: account,
  },
  told_sheets: {
    people: ['user_id'],
    exports: { nothing: 'answers as they were earlier that day, which the export has as they are now' },
    erased: account,
  },
  trait_values: { people: [], exports: aboutNoOne, erased: stays },
  unreachable_mailboxes: {
    people: ['user_id', 'email'],
    exports: { as: 'unreachableMailbox', own: ['user_id'], columns: ['email', 'since', 'again_at', 'is_gone'] },
    erased: account,
  },
  verifications: {
    people: ['user_id'],
    impersonal: ['id'],
    exports: {
      as: 'verification',
      own: ['user_id'],
      columns: ['pose', 'state', 'reason', 'asked_at', 'expires_at', 'submitted_at', 'decided_at'],
      left: ['photo', 'file_name'],
    },
    erased: account,
  },
}
