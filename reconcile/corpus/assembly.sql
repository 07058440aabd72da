-- What is of an archive as a whole: which matches are the same, and the rows of `matches`.
--
-- Carried out from top to bottom on `scored`, the rows of all batches, and `files`, the files that were read, in their order.

-- Whether one text is the beginning of the other, or becomes it by changing, adding or removing one character: then the first or the last
-- half of the short one is as it was.
create macro near_texts(short, long) as case
    when starts_with(long, short) then true
    when length(long) > length(short) + 1 then false
    when left(short, length(short) // 2) <> left(long, length(short) // 2)
        and right(short, length(short) // 2) <> right(long, length(short) // 2) then false
    else levenshtein(short, long) <= 1 end;
create macro are_near(a, b) as if(length(a) <= length(b), near_texts(a, b), near_texts(b, a));

-- Every match of every file in their order. A file of the same bytes as one before it is a copy, whose matches have numbers of their own.
create table stored as from scored;
create table places as
select (row_number() over (order by f.rowid, s.rowid) - 1)::bigint as place, s.rowid as row, f.copies, f.file || s.file as file,
    if(f.copies = 0, s.match, (('0x' || sha256(s.match || ' ' || f.copies)[:16])::ubigint >> 1)::bigint) as match,
    s.match_id, s.transcript, s.rolls, s.tool, s.lookahead, s.level_name, s.analysed, s.alike
from (select rowid, *, row_number() over (partition by sha256 order by rowid) - 1 as copies from files) f join stored s using (sha256);

-- What several places are recognised by: few of all, whatever the number of matches.
create table keys as
select * from (select place, unnest(range(len(alike))) as part, unnest(alike) as key from places) where key <> 0;
create table shared as
select part, key from keys group by part, key having count(*) > 1;
-- Pairs of places that are the same match or near twins; of those that are recognised by the same, each with the first.
create table pairs as
with pieces as (
    select part, key, rolls, min(place) as place from keys join shared using (part, key) join places using (place)
    where part >= 2 group by part, key, match_id, rolls
)
select place, min(place) over (partition by part, key) as other from keys join shared using (part, key) where part < 2
union
select a.place, b.place from pieces a join pieces b using (part, key) where a.place > b.place and are_near(a.rolls, b.rolls);

-- The first place of each group of pairs: the smallest number spreads along them until nothing changes.
create table ends as
select place, other from pairs where place <> other union all select other, place from pairs where place <> other;
create table first_places as
with recursive spread(place, first) using key (place) as (
    select distinct place, place from ends
    union
    select e.place, min(near.first) from spread near join ends e on e.other = near.place join recurring.spread own on own.place = e.place
    where near.first < own.first group by e.place
)
from spread union all select place, place from places anti join ends using (place);

-- Of a match and its near twins the one with most rolls is the whole one; of as many, the one that most files have; of these the first.
-- Of several analyses of a match by one tool at one depth, one of the whole match counts, then the one with the most evaluations, then
-- the first; what the tool has not analysed counts only where it has analysed nothing of the match.
create table same as
with grouped as (
    select *, count(*) over (partition by first, transcript) as files from places join first_places using (place)
), completed as (
    select *, first_value(place) over complete as complete_place, first_value(transcript) over complete <> transcript as is_other
    from grouped window complete as (partition by first order by length(rolls) desc, files desc, place)
)
select place, first, if(is_other, complete_place, null) as twin,
    if(analysed > 0,
        first_value(place) over (
            partition by first, tool, lookahead, if(lookahead is null, level_name, null) order by is_other, analysed desc, place),
        first_value(place) over (partition by first, tool order by is_other, analysed desc, place)) as counting
from completed;

-- The rows of `matches`, and of `analyses`, where copies of a file are one.
create view matches as
select s.* replace (p.match as match, p.file as file, d.match as duplicate_of, f.match as same_as, t.match as twin_of), p.place, p.copies
from places p join stored s on s.rowid = p.row join same using (place)
join places f on f.place = same.first
left join places d on d.place = same.counting and d.place <> p.place
left join places t on t.place = same.twin;
create view analyses as from matches where copies = 0;

-- The numbers of `Corpus`.
create view counts as
select (select count(*) from files) as files, (select count(distinct first) from same) as played, (select count(*) from same where counting = place) as matches,
    (select count(*) from same where counting <> place) as duplicates,
    (select count(*) from files where matches = 0 and error is null) as without_match, (select count(*) from files where error is not null) as errors;
