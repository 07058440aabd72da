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

-- Every match of every file in their order, without its texts: what is held of a match is small. A file of the same bytes as one before it is
-- a copy, whose matches have numbers of their own.
create table in_order as
select f.place as file, f.copies, s.match as scored, s.file_index as batch,
    if(f.copies = 0, s.match, (('0x' || sha256(s.match || ' ' || f.copies)[:16])::ubigint >> 1)::bigint) as match,
    hash(s.transcript) as transcript, hash(s.match_id, s.rolls) as played,
    length(s.rolls) as rolls, s.tool, s.lookahead, s.level_name, s.analysed, s.alike
from (select place, key, row_number() over (partition by key order by place) - 1 as copies from files) f
join (select *, key_of(sha256) as key from scored) s using (key) order by f.place, s.file_row_number;
create view places as select rowid as place, * from in_order;

-- What several places are recognised by, with the first of them.
create view keys as
select * from (select place, played, unnest(range(len(alike))) as part, unnest(alike) as key from places) where key <> 0;
create table shared as
select part, key, min(place) as first from keys group by part, key having min(place) < max(place) and (part < 2 or min(played) <> max(played));
-- Pairs of places that are the same match or near twins; of those that are recognised by the same, each with the first.
create table pairs as
with pieces as (
    select part, key, played, min(place) as place from keys semi join shared using (part, key) where part >= 2 group by part, key, played
), near as (
    select distinct a.place, b.place as first from pieces a join pieces b using (part, key) where a.place > b.place
), texts as (
    select place, s.rolls from scored s join places p on p.scored = s.match
    where place in (select place from near union all select first from near)
)
select place, first from keys join shared using (part, key) where part < 2 and place <> first
union
select place, first from near join texts a using (place) join texts b on b.place = first where are_near(a.rolls, b.rolls);

-- The first place of each group of pairs: the smallest number spreads along them until nothing changes.
create table ends as
select place, first as other from pairs union all select first, place from pairs;
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
    select *, first_value(match) over (partition by first order by place) as same_as, first_value(match) over complete as whole,
        first_value(transcript) over complete <> transcript as is_other
    from grouped window complete as (partition by first order by rolls desc, files desc, place)
)
select place, place // 8192 as slice, scored, batch, file, copies, match, same_as, if(is_other, whole, null) as twin_of,
    nullif(if(analysed > 0,
        first_value(match) over (
            partition by first, tool, lookahead, if(lookahead is null, level_name, null) order by is_other, analysed desc, place),
        first_value(match) over (partition by first, tool order by is_other, analysed desc, place)), match) as duplicate_of
from completed;

-- The batches that have the matches of a slice: few, since most are in the order of the files.
create table slices as select slice, list(distinct batch order by batch) as batches from same group by slice;

-- The rows of `matches`, and of `analyses`, where copies of a file are one.
create view matches as
select s.* replace (m.match as match, f.file || s.file as file, m.duplicate_of as duplicate_of, m.same_as as same_as, m.twin_of as twin_of),
    m.place, m.slice, m.copies
from same m join scored s on s.match = m.scored join files f on f.place = m.file;
create view analyses as from matches where copies = 0;

-- The numbers of `Corpus`.
create view counts as
select (select count(*) from files) as files, (select count(distinct same_as) from same) as played,
    (select count(*) from same where duplicate_of is null) as matches, (select count(duplicate_of) from same) as duplicates,
    (select count(*) from files where matches = 0 and error is null) as without_match, (select count(*) from files where error is not null) as errors;
