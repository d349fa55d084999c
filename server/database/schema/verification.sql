/*
 * The latest verification of each person: a selfie in a randomly drawn pose, compared with their main photo. Only the
 * selfie's file name is here; the file is deleted with the decision.
 */
create table verifications (
  user_id uuid primary key references accounts on delete cascade,
  -- What a reviewer decides about: new whenever the photo to compare with changes, so that no one decides about another.
  id uuid not null unique default gen_random_uuid(),
  pose text not null check (pose ~ '^[a-z_]{1,40}$'),
  /*
   * `lost`: approved, but the photo has changed since and the person has not been told yet. `revoked`: a sanction removed
   * the badge; it comes back if the sanction is reversed while `photo` is still the main photo.
   */
  state text not null check (state in ('asked', 'waiting', 'approved', 'rejected', 'lost', 'revoked')),
  reason text check (reason in ('not_same', 'wrong_pose', 'unclear', 'not_alone', 'other')),
  file_name text not null unique check (file_name ~ '^[A-Za-z0-9_-]{22}\.sealed$'),
  -- The main photo it is, or was, compared with.
  photo text,
  asked_at timestamptz not null,
  expires_at timestamptz not null,
  submitted_at timestamptz,
  decided_at timestamptz,
  check ((state = 'rejected') = (reason is not null)),
  check ((state = 'asked') = (submitted_at is null)),
  check ((state in ('asked', 'waiting')) = (decided_at is null))
);
create index verifications_waiting on verifications (submitted_at, id) where state = 'waiting';
create index verifications_over on verifications (state, expires_at);
grant select (state, reason, asked_at, submitted_at, decided_at) on verifications to duet_reader;
