-- What a study asks of the tables of a corpus, by name. A statement ends where the next name begins; `{...}` is filled in by who asks.

-- name: moments
-- Makes the aggregate that `estimate` takes, of rows with `lost` and `number`, one for each match.
create temp macro moments(lost, number) as {
'matches': count(*), 'lost': sum(lost), 'number': sum(number),
'squares': sum(lost * lost), 'products': sum(lost * number), 'number_squares': sum(number * number)}

-- name: class_of
-- Which decisions of a turn are the same one, whatever was done; null for resignations.
create temp macro class_of(kind) as case when kind = 'play' then 0 when kind in ('no-double', 'double') then 1
when kind in ('take', 'pass', 'beaver') then 2 end

-- name: depth_of
-- The words for a depth: the tool's own, cut to 30 letters, for a level that has no place on the common scale.
create or replace temp macro depth_of(lookahead, level) as
if(lookahead is null, coalesce(level, 'at an unknown depth')[:30],
    format('{:g} {} ahead', lookahead, if(lookahead = 1, 'ply', 'plies')))

-- name: held_players
-- In place of the table, which is in many files: what is asked of it again and again.
create temp table players as
select match, seat, name, rules, pr, pr_low, pr_high, decisions_counted, equity_error_total, rated_error, moves_both, snowie_er,
    luck_net_mwc_percent, checker_analysed + cube_analysed > 0 as evaluated
from players

-- name: analysed
create temp view analysed as select p.*, n.person
from players p join named n on n.match = p.match and n.seat = p.seat
where evaluated

-- name: whole
create temp table whole as select match from matches where duplicate_of is null and fully_analysed

-- name: once
create temp table once as
select match, same_as, day as date, tool, depth_of(lookahead, level_name) as depth, {own} as rules from matches semi join whole using (match)
join (select same_as, min(date) as day from matches group by same_as) using (same_as)
qualify row_number() over (
    partition by same_as
    order by twin_of is not null, coalesce(list_position(?, tool), 9), lookahead desc nulls first, match) = 1

-- name: pooled
create temp view pooled as select a.*, once.date, once.tool, once.depth, once.rules as own_rules
from analysed a join once on once.match = a.match;
create temp view rated as select * from pooled where rules = own_rules

-- name: sides
create temp table sides as
with several as (
    select match, same_as from matches where duplicate_of is null and rolls <> ''
    qualify count(*) over (partition by same_as) > 1
), first as (
    select match, arg_min(seat, game * 4 + turn) as seat from decisions semi join several using (match)
    where turn <= 2 and kind = 'play' group by match
)
select match, same_as, s.seat::tinyint as seat, (s.seat <> first.seat)::tinyint as side
from first join several using (match), (values (0), (1)) s(seat)

-- name: cut_names
select distinct a.name, b.name from sides s join sides t on s.same_as = t.same_as and s.side = t.side and s.match < t.match
join players a on a.match = s.match and a.seat = s.seat join players b on b.match = t.match and b.seat = t.seat
where a.name <> b.name

-- name: named
create temp table named as select match, seat, person from persons
join (select match, unnest([0, 1]) as seat, unnest([player0, player1]) as name from matches) using (name)

-- name: shared_names
select match, seat, name, coalesce(event, ''), file, day
from (select *, min(date) over (partition by same_as) as day, unnest([0, 1]) as seat, unnest([player0, player1]) as name
    from matches)
where list_contains(?, name)

-- name: pairs
-- Of a transcript that a tool analysed several times only the pair of the deepest complete analyses `speaks`: a match counts once.
create temp table pairs as
select t.*, l.same_as, l.match as left_match, r.match as right_match, l.lookahead as left_lookahead, r.lookahead as right_lookahead,
    depth_of(l.lookahead, l.level_name) as left_depth, depth_of(r.lookahead, r.level_name) as right_depth,
    dense_rank() over (order by t.number,
        if(l.tool = r.tool, (l.lookahead, left_depth), null), if(l.tool = r.tool, (r.lookahead, right_depth), null)) as pair,
    row_number() over (
        partition by t.number, l.same_as, if(l.tool = r.tool, (left_depth, right_depth), null)
        order by l.fully_analysed and r.fully_analysed desc, coalesce(l.lookahead, 99) desc, coalesce(r.lookahead, 99) desc,
            l.analysed + r.analysed desc, l.match, r.match) = 1 as speaks
from matches l join matches r on l.same_as = r.same_as and l.rolls = r.rolls
join tools t on t."left" = l.tool and t."right" = r.tool
where l.rolls <> '' and l.duplicate_of is null and r.duplicate_of is null and l.analysed > 0 and r.analysed > 0
    and (l.tool <> r.tool or (coalesce(l.lookahead, 99), left_depth) < (coalesce(r.lookahead, 99), right_depth))

-- name: compared
create temp view compared as select distinct pair, "left", "right",
if("left" = "right", left_depth, null) as left_depth, if("left" = "right", right_depth, null) as right_depth from pairs

-- name: gaps
create temp table gaps as
select p.pair, p.speaks, p.same_as, p.left_match, p.right_match, p.left_lookahead, p.right_lookahead,
    p.left_depth, p.right_depth, l.seat, l.person, l.pr as "left",
    r.pr as "right", r.pr - l.pr as gap, c.pr - l.pr as counting, least(l.decisions_counted, r.decisions_counted) as decisions,
    l.decisions_counted is not null and r.decisions_counted is not null as complete
from pairs p
join sides s on s.match = p.left_match
join sides t on t.match = p.right_match and t.side = s.side
join analysed l on l.match = p.left_match and l.seat = s.seat and l.rules = p.left_rules
join analysed c on c.match = p.left_match and c.seat = s.seat and c.rules = p.right_rules
join analysed r on r.match = p.right_match and r.seat = t.seat and r.rules = p.right_rules
where not complete or l.pr is not null and r.pr is not null and c.pr is not null
order by p.pair, p.left_match, p.right_match, l.seat

-- name: usable_gaps
create temp view enough_gaps as select * from gaps where complete and decisions >= {fewest_decisions};
create temp view usable_gaps as select * from enough_gaps where speaks

-- name: usual_sizes
select t."left", t."right", left_lookahead, right_lookahead, count(distinct same_as),
    list(abs(gap) order by abs(gap))
from gaps g join compared t on t.pair = g.pair where complete
group by t.pair, 1, 2, 3, 4 order by t.pair, 3 nulls first, 4 nulls first

-- name: ruled
create temp view ruled as
select p.match, p.seat, p.name, m.file, p.rules as left_rules, q.rules as right_rules, p.pr as "left", q.pr as "right",
    least(p.decisions_counted, q.decisions_counted) as decisions
from players p semi join whole on whole.match = p.match join players q on p.match = q.match and p.seat = q.seat
join matches m on m.match = p.match
where p.pr is not null and q.pr is not null and least(p.decisions_counted, q.decisions_counted) >= {fewest_decisions}

-- name: largest_by_rules
select name, file, "left", "right", decisions from ruled
where left_rules = ? and right_rules = ? and abs("right" - "left") >= ?
order by abs("right" - "left") desc, file, name limit ?

-- name: sizes_by_levels
select one, other, moments(gap, number), moments(size, number) from (
    select left_depth as one, right_depth as other, sum(gap) as gap, sum(abs(gap)) as size,
        count(*) as number
    from enough_gaps where pair = ? group by one, other, same_as)
group by one, other order by sum(number) desc, one, other limit ?

-- name: sizes_of_pair
select moments(gap, number), moments(size, number) from
(select sum(gap) as gap, sum(abs(gap)) as size, count(*) as number from usable_gaps where pair = ? group by same_as)

-- name: largest_of_pair
select person, l.file, r.file, "left", "right", decisions, counting from usable_gaps g
join matches l on l.match = g.left_match join matches r on r.match = g.right_match
where pair = ? and abs(gap) >= ?
order by abs(gap) desc, l.file, r.file, person limit ?

-- name: judged
create temp table judged as select match, same_as, {own} as rules from matches
where match in (select left_match from pairs union select right_match from pairs)

-- name: judgements
create temp view judgements as
select d.match, same_as, game, turn, class_of(kind) as class, seat, best, {error} as error
from decisions d join judged using (match) where analysed

-- name: large_errors
create or replace temp table large as select same_as, game, turn, class, error from judgements
where class is not null and error > 0 order by error desc, match, game, turn, class limit ?

-- name: disputed
create or replace temp table disputed as
select p.left_match, p.right_match, l.seat, l.game, l.turn, l.class, l.error as "left", r.error as "right",
    abs(l.error - r.error) as stake, coalesce(l.best <> r.best, false)
        or (least(l.error, r.error) < {error} and stake >= {error}) as differs
from pairs p join looked_up l on l.match = p.left_match
join looked_up r on r.match = p.right_match and r.game = l.game and r.turn = l.turn and r.class = l.class
where p.speaks and abs(l.error - r.error) >= ?
qualify row_number() over (order by differs desc, stake desc, l.match, r.match, l.game, l.turn, l.class) <= ?
    or (stake > max(stake) filter (where differs) over () and row_number() over (
        partition by differs order by stake desc, l.match, r.match, l.game, l.turn, l.class) = 1)

-- name: worded
create temp table worded as select match, game, turn, class_of(kind) as class, xgid, action, best from decisions
where list_contains(?, match)

-- name: disputed_in_words
select if(d.seat = 0, n.person, o.person), if(d.seat = 0, o.person, n.person), d.differs, d.game, d.turn,
    coalesce(l.action, r.action, ''), coalesce(l.xgid, r.xgid, ''),
    lm.tool, if(lm.tool = rm.tool, depth_of(lm.lookahead, lm.level_name), null), lm.file, d."left", l.best,
    rm.tool, if(lm.tool = rm.tool, depth_of(rm.lookahead, rm.level_name), null), rm.file, d."right", r.best
from disputed d join matches lm on lm.match = d.left_match join matches rm on rm.match = d.right_match
left join worded l on l.match = d.left_match and l.game = d.game and l.turn = d.turn and l.class = d.class
left join worded r on r.match = d.right_match and r.game = d.game and r.turn = d.turn and r.class = d.class
left join named n on n.match = d.left_match and n.seat = 0 left join named o on o.match = d.left_match and o.seat = 1
order by d.differs desc, d.stake desc, d.left_match, d.right_match, d.game, d.turn, d.class

-- name: shown
create temp table shown as
select person, tool, depth, any_value(rules) as own, count(*) as matches,
    row_number() over (order by sum(decisions_counted) desc, person, tool, depth) as rank
from rated group by person, tool, depth

-- name: sides_rated
select rank, rules, decisions_counted, coalesce(rated_error, 0), coalesce(equity_error_total, 0), moves_both
from pooled join shown using (person, tool, depth) order by rank, rules, match, seat

-- name: dated
create temp table dated as select match, person, tool, depth, strftime(date, ?) as period,
    rated_error as lost, decisions_counted as number
from rated where date is not null and rated_error is not null

-- name: rates_of_all_by_period
select null, tool, depth, period, moments(lost, number) from
(select match, tool, depth, period, sum(lost) as lost, sum(number) as number from dated group by match, tool, depth, period)
group by tool, depth, period order by tool, depth

-- name: rates_by_period
select person, tool, depth, period, moments(lost, number) from dated join shown using (person, tool, depth)
group by rank, person, tool, depth, period order by rank

-- name: by_phase
create temp table by_phase as
select match, seat, phase, checker, sum(lost) as lost, sum(number) as number
from decided where phase is not null and number > 0 group by match, seat, phase, checker

-- name: rates_by_phase
select phase, if(checker, 'checker', 'cube'), moments(lost, number) from
(select phase, checker, match, sum(lost) as lost, sum(number) as number from by_phase group by phase, checker, match)
group by phase, checker

-- name: rates_of_whole_phases
select phase, 'both', moments(lost, number) from
(select phase, match, sum(lost) as lost, sum(number) as number from by_phase group by phase, match) group by phase

-- name: rates_by_person_and_phase
select person, tool, depth, phase, moments(lost, number) from (
    select rank, p.person, once.tool, once.depth, phase, b.match, sum(lost) as lost, sum(number) as number
    from by_phase b join once on once.match = b.match join named p on p.match = b.match and p.seat = b.seat
    join shown on shown.person = p.person and shown.tool = once.tool and shown.depth = once.depth
    where rank <= ? group by rank, p.person, once.tool, once.depth, phase, b.match)
group by rank, person, tool, depth, phase order by rank

-- name: cube_by_score
select away, opponent_away, moments(lost, number) from (
    select match, away, opponent_away, sum(lost) as lost, sum(number) as number
    from decided where not checker and phase is not null and number > 0 and away <= ? and opponent_away <= ?
    group by match, away, opponent_away)
group by away, opponent_away order by away, opponent_away

-- name: results
create temp table results as
with last as (select match, seat, arg_max(won > 0, game) as won from games semi join once using (match, rules) group by match, seat)
select p.match, p.seat, p.person, if(decisions_counted >= ?, p.pr, null) as pr, last.won,
    p.luck_net_mwc_percent as luck
from rated p join last on last.match = p.match and last.seat = p.seat join matches m on m.match = p.match
where m.complete and m.length is not null and last.won is not null

-- name: sides_of_results
create temp view sides_of_results as select a.won, a.luck > b.luck as luckier, a.pr < b.pr as better, a.pr > b.pr as worse,
a.luck from results a join results b on b.match = a.match and b.seat = 1 - a.seat

-- name: counts_of_results
select count(*) filter (where luckier and won), count(*) filter (where luckier),
count(*) filter (where better and won), count(*) filter (where better),
count(*) filter (where luckier and worse and won), count(*) filter (where luckier and worse) from sides_of_results

-- name: wins_by_luck
select least(floor(luck / ?), ?)::int as place, count(*) filter (where won), count(*)
from sides_of_results where luckier group by place order by place

-- name: luck_by_person
select person, moments(luck, 1), count(*) filter (where won) from results where luck is not null
group by person having count(*) >= ? order by count(*) desc, person limit ?

-- name: results_left_out
select count(*) filter (where length is null), count(*) filter (where r.match is not null), count(*),
    count(*) filter (where r.match is not null and not lucky), count(*) filter (where r.match is not null and not rated)
from once join matches m on m.match = once.match
left join (
    select match, bool_and(luck is not null) as lucky, bool_and(pr is not null) as rated from results group by match
) r on r.match = once.match

-- name: usable
create temp table usable as select match, seat from players semi join whole using (match)
group by match, seat having min(decisions_counted) >= ?

-- name: effects
with sized as (
    select q.*, abs(coalesce(q.pr, 0)) as size, "from" || ' → ' || "to" as answers from questions q
    semi join usable using (match, seat)
), most as (
    select question, arg_max(match, (size, -match, -seat)) as match, arg_max(name, (size, -match, -seat)) as name
    from sized group by question
), by_match as (
    select question, match, sum(size) as lost, count(*) as number from sized group by question, match
), sizes as (
    select question, moments(lost, number) as moments from by_match group by question
)
select question, string_agg(distinct answers, ', ' order by answers),
    count(*), count(*) filter (where size > 1e-9 or decisions <> 0),
    avg(size) as mean, quantile_cont(size, 0.95), max(size), sum(abs(decisions)), any_value(m.file), any_value(most.name),
    any_value(moments)
from sized join most using (question) join sizes using (question) join matches m on m.match = most.match
group by question order by mean desc, question

-- name: open_prs
select rules, players, changed, widest, one_point from (
    select p.rules, coalesce(m.length = 1, false) as one_point, sum(count(*)) over (partition by p.rules)::int as players,
        count(p.pr_low) as changed, max(p.pr_high - p.pr_low) as widest
    from pooled p semi join usable using (match, seat) join matches m on m.match = p.match group by p.rules, one_point)
where changed > 0 order by rules, one_point

-- name: held
create temp table held as
select coalesce(any_value(o.match), min(m.match)) as match, max(m.analysed) > 0 as analysed,
    any_value(o.match) is not null as pooled, any_value(o.rules) as rules
from matches m left join once o on o.match = m.match where duplicate_of is null group by m.same_as

-- name: decided
-- The decisions of these matches, in one pass over a table of many files: how many there are, and what those lost that count.
create temp table decided as
select d.match, d.seat, d.phase, d.kind = 'play' as checker, if(checker, null, d.away) as away, if(checker, null, d.opponent_away) as opponent_away,
    count(*) as every, count(*) filter (where h.pooled and d.analysed and {counted}) as number,
    sum({error}) filter (where h.pooled and d.analysed and {counted}) as lost
from decisions d join held h on h.match = d.match group by all

-- name: sources
select tool, count(*), count(*) filter (where analysed = 0), count(*) filter (where analysed > 0 and whole.match is null)
from matches left join whole on whole.match = matches.match
where duplicate_of is null group by tool order by count(*) desc, tool

-- name: counts
select (select count(distinct same_as) from matches), (select count(*) from files where matches > 0),
(select count(*) from matches where twin_of is not null), (select sum(every) from decided),
(select count(distinct person) from named semi join held using (match)), count(*) filter (where not analysed),
count(*) filter (where analysed and not pooled), (select year(min(date)) from once), (select year(max(date)) from once) from held

-- name: rules_of_rates
select tool, any_value(rules) from once group by tool order by count(*) desc, tool

-- name: mixed
select tool, depth, count(*) from once group by tool, depth order by count(*) desc, tool, depth

-- name: file_errors
select any_value(what order by file), count(*), min(file) from
(select file, error as what, regexp_replace(error, '[0-9]+', '#', 'g') as kind from files where error is not null)
group by kind order by count(*) desc, kind limit ?
