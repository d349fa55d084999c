-- Which people belong to the demo world.
create table demo_people (user_id uuid primary key references accounts on delete cascade);
