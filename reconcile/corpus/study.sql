-- What a study asks of an archive. The part before the first question is carried out from top to bottom, over the tables, the views
-- of `views.yaml` and the persons of `persons.py`: each statement uses those above it. Then every question is one statement.
-- `study.py` fills in `{...}`: `{rules}` is the list of the archive's rule sets, `{error d.rules}` the error of a decision under one
-- of them. Of a struct `is` names what Python makes of it (`MAKERS`).

-- Rates: of rows with `lost` and `number`, one for each game; a gap has one for each match.
create temp macro moments(lost, number, match) as {
    'matches': count(distinct match), 'games': count(*), 'lost': sum(lost), 'number': sum(number),
    'squares': sum(lost * lost), 'products': sum(lost * number), 'number_squares': sum(number * number)};
create temp macro pr_of(lost, number, match) as struct_insert({'is': 'pr'}, moments := moments(lost, number, match));
create temp macro mean_of(lost, number, match) as struct_insert({'is': 'mean'}, moments := moments(lost, number, match));
create temp macro size_of(lost, number, match) as struct_insert({'is': 'size'}, moments := moments(lost, number, match));
create temp macro share_of(won, among) as {'is': 'share', 'of': won, 'among': among};
create temp macro gaps_of(gap, match) as {
    'is': 'gaps', 'values': coalesce(list(gap order by gap), []), 'matches': count(distinct match)};
create temp macro analysis_of(tool, depth) as {'is': 'analysis', 'tool': tool, 'depth': depth};

-- Which decisions of a turn are the same one, whatever was done; null for resignations.
create temp macro class_of(kind) as case when kind = 'play' then 0 when kind in ('no-double', 'double') then 1
    when kind in ('take', 'pass', 'beaver') then 2 end;
-- The words for a depth: the tool's own, cut to 30 letters, for a level that has no place on the common scale.
create temp macro depth_of(level, name) as if(level is null, coalesce(name, 'at an unknown depth')[:30],
    format('{:g} {} ahead', level, if(level = 1, 'ply', 'plies')));

-- The figures with some analysis, under every rule set: what is asked again and again.
create temp table analysed as
select match, seat, p.name, n.person, rules, pr, pr_low, pr_high, decisions_counted, equity_error_total, rated_error, moves_both,
    luck_net_mwc_percent
from players p join named n using (match, seat) where checker_analysed + cube_analysed > 0;
-- The analyses with figures of both players.
create temp table complete as select match from matches where duplicate_of is null and fully_analysed;
-- One of these of every match that was played and has one: it is pooled.
create temp table once as
select match, played, date, tool, depth_of(level, level_name) as depth, rules from analyses where once and fully_analysed;
create temp view pooled as
select a.*, once.played, once.date, once.tool, once.depth, once.rules as own_rules from analysed a join once using (match);
create temp view rated as select * from pooled where rules = own_rules;
-- The players by tool and depth, those with most decisions first.
create temp table ranked as
select person, tool, depth, any_value(rules) as own, count(*) as matches,
    row_number() over (order by sum(decisions_counted) desc, person, tool, depth) as rank
from rated group by person, tool, depth;
-- Players whose PR in a match says something.
create temp table usable as
select match, seat from analysed semi join complete using (match) group by match, seat having min(decisions_counted) >= {fewest};

-- Two analyses of one transcript, by two tools or at two depths of one; two depths of a tool are a pair of their own. Of a transcript
-- that a tool analysed several times only the pair of the deepest complete analyses `speaks`: a match counts once.
create temp table pairs_of_tools as
with tools as (select * from (values {tools}) t(place, tool, rules) where list_contains({rules}, rules))
select a.tool as "left", b.tool as "right", a.rules as left_rules, b.rules as right_rules,
    l.same_as, l.match as left_match, r.match as right_match, l.lookahead as left_lookahead, r.lookahead as right_lookahead,
    depth_of(l.lookahead, l.level_name) as left_depth, depth_of(r.lookahead, r.level_name) as right_depth,
    dense_rank() over (order by a.place, b.place,
        if(l.tool = r.tool, (l.lookahead, left_depth), null), if(l.tool = r.tool, (r.lookahead, right_depth), null)) as pair,
    row_number() over (
        partition by a.place, b.place, l.same_as, if(l.tool = r.tool, (left_depth, right_depth), null)
        order by l.fully_analysed and r.fully_analysed desc, coalesce(l.lookahead, 99) desc, coalesce(r.lookahead, 99) desc,
            l.analysed + r.analysed desc, l.match, r.match) = 1 as speaks
from matches l join matches r on l.same_as = r.same_as and l.rolls = r.rolls
join tools a on a.tool = l.tool join tools b on b.tool = r.tool and a.place <= b.place
where l.rolls <> '' and l.duplicate_of is null and r.duplicate_of is null and l.analysed > 0 and r.analysed > 0
    and (l.tool <> r.tool or (coalesce(l.lookahead, 99), left_depth) < (coalesce(r.lookahead, 99), right_depth));
-- Their players: PR by both, and by the left analysis under the right rules (`counting`).
create temp table gaps as
select p.pair, p.speaks, p.same_as, p.left_match, p.right_match, p.left_lookahead, p.right_lookahead,
    p.left_depth, p.right_depth, l.person, l.pr as "left", r.pr as "right", r.pr - l.pr as gap, c.pr - l.pr as counting,
    least(l.decisions_counted, r.decisions_counted) as decisions,
    l.rated_error as left_lost, l.decisions_counted as left_number, r.rated_error as right_lost, r.decisions_counted as right_number,
    l.decisions_counted is not null and r.decisions_counted is not null as complete
from pairs_of_tools p
join sides s on s.match = p.left_match
join sides t on t.match = p.right_match and t.side = s.side
join analysed l on l.match = p.left_match and l.seat = s.seat and l.rules = p.left_rules
join analysed c on c.match = p.left_match and c.seat = s.seat and c.rules = p.right_rules
join analysed r on r.match = p.right_match and r.seat = t.seat and r.rules = p.right_rules
where not complete or l.pr is not null and r.pr is not null and c.pr is not null;
create temp view enough_gaps as select * from gaps where complete and decisions >= {fewest};
create temp view usable_gaps as select * from enough_gaps where speaks;
-- The same file under the two rule sets that are compared.
create temp view ruled as
select p.match, p.name, m.file, p.pr as "left", q.pr as "right", least(p.decisions_counted, q.decisions_counted) as decisions
from analysed p semi join complete using (match) join analysed q on p.match = q.match and p.seat = q.seat
join matches m on m.match = p.match
where p.pr is not null and q.pr is not null and decisions >= {fewest} and p.rules = {first} and q.rules = {second};

-- One analysis or transcript of every match: the one that is pooled, if there is one.
create temp table counted_once as
select coalesce(any_value(o.match), min(m.match)) as match, max(m.analysed) > 0 as analysed,
    any_value(o.match) is not null as pooled, any_value(o.rules) as rules
from matches m left join once o on o.match = m.match where duplicate_of is null group by m.same_as;
-- Their decisions, in one pass over the largest table: how many there are, and what those lost that count.
create temp table decided as
select d.match, d.game, d.seat, d.phase, d.kind = 'play' as checker, if(checker, null, d.away) as away,
    if(checker, null, d.opponent_away) as opponent_away, count(*) as every,
    count(*) filter (where h.pooled and d.analysed and {counted h.rules}) as number,
    sum({error h.rules}) filter (where h.pooled and d.analysed and {counted h.rules}) as lost
from decisions d join counted_once h on h.match = d.match group by all;
create temp view by_phase as
select match, game, seat, phase, if(checker, 'checker', 'cube') as part, sum(lost) as lost, sum(number) as number
from decided where phase is not null and number > 0 group by all;

-- Finished matches: PR, net luck and who won, the winner of the last game.
create temp table results as
with last as (
    select match, seat, arg_max(won > 0, game) as won from games semi join once using (match, rules) group by match, seat)
select p.match, p.seat, p.person, if(decisions_counted >= {fewest}, p.pr, null) as pr, last.won, p.luck_net_mwc_percent as luck
from rated p join last on last.match = p.match and last.seat = p.seat join matches m on m.match = p.match
where m.complete and m.length is not null and last.won is not null;
create temp view sides_of_results as
select a.won, a.luck > b.luck as luckier, a.pr < b.pr as better, a.pr > b.pr as worse, a.luck
from results a join results b on b.match = a.match and b.seat = 1 - a.seat;

-- The time in which the pooled matches were played: by month, by year if it is longer than three years.
create temp view span as
select min(date) as first, max(date) as last, count(*) filter (where date is null) as undated,
    date_diff('month', first, last) >= 36 as by_year from once;
create temp macro period_of(day, by_year) as if(by_year, strftime(day, '%Y'), strftime(day, '%Y-%m'));
create temp view dated as
select r.match, g.game, person, tool, depth, period_of(date, by_year) as period, g.rated_error as lost, g.decisions_counted as number
from span, rated r join games g using (match, seat, rules) where date is not null and r.rated_error is not null and g.rated_error is not null;

-- Without gaps; of years the last sixty.
create temp view periods as
select distinct period_of(day, by_year) as period
from (select unnest(generate_series(date_trunc('month', first), last, interval 1 month)) as day, by_year from span)
order by period desc limit 60;

-- question: counts
select (select count(distinct same_as) from matches) as played, (select count(*) from files where matches > 0) as files,
    (select count(*) from matches where twin_of is not null) as twins, (select coalesce(sum(every), 0)::bigint from decided) as decisions,
    (select count(distinct person) from named semi join counted_once using (match)) as persons,
    (select count(distinct person) from ranked) as rated,
    count(*) filter (where not analysed) as unanalysed, count(*) filter (where analysed and not pooled) as incomplete,
    (select if(first is null, null, [year(first), year(last)]) from span) as years,
    (select gaps_of("right" - "left", match) from ruled) as rules_gap
from counted_once

-- question: sources
select tool, count(*), count(*) filter (where analysed = 0), count(*) filter (where analysed > 0 and complete.match is null)
from matches left join complete on complete.match = matches.match
where duplicate_of is null group by tool order by count(*) desc, tool

-- question: pooled
select analysis_of(tool, depth), count(*) from once group by tool, depth order by count(*) desc, tool, depth

-- question: rules
select tool, any_value(rules) from once group by tool order by count(*) desc, tool

-- question: errors
select any_value(error order by file), count(*), min(file)
from (select file, error, regexp_replace(error, '[0-9]+', '#', 'g') as kind from files where error is not null)
group by kind order by count(*) desc, kind limit 25

-- question: people
with rates as (
    select rank, rules, {'is': 'rate', 'rules': rules,
        'moments': moments(coalesce(g.rated_error, 0), coalesce(g.decisions_counted, 0)::double, match),
        'error': coalesce(sum(g.equity_error_total), 0), 'moves': sum(g.moves_both)::double} as rate
    from pooled p join ranked using (person, tool, depth) join games g using (match, seat, rules) where rank <= 100
    group by rank, rules
)
select person as name, analysis_of(tool, depth) as analysis,
    coalesce((select list(distinct n.name order by n.name) from named n where n.person = r.person and n.name <> r.person), []) as spellings,
    any_value(matches) as matches, list(rate order by list_position({rules}, rules)) as rates,
    any_value(rate) filter (where rules = own) as own
from ranked r join rates using (rank) group by rank, r.person, tool, depth order by rank

-- question: rules_outliers
select name as player, [file] as files, "left", "right", decisions from ruled
where abs("right" - "left") >= 0.005 order by abs("right" - "left") desc, file, name limit 25

-- question: tools
with by_match as (
    select pair, left_depth, right_depth, speaks, same_as, sum(gap) as gap, sum(abs(gap)) as size, count(*) as number
    from enough_gaps group by all
), levels as (
    select pair, left_depth, right_depth, mean_of(gap, number, same_as) as mean, size_of(size, number, same_as) as size,
        sum(number) as number
    from (select pair, left_depth, right_depth, same_as, sum(gap) as gap, sum(size) as size, sum(number) as number
        from by_match group by all)
    group by pair, left_depth, right_depth
    qualify row_number() over (partition by pair order by sum(number) desc, left_depth, right_depth) <= 12
), gaps_of_levels as (
    select pair, left_depth, right_depth, gaps_of(gap, same_as) as gap from enough_gaps group by all
), listed_levels as (
    select pair, list({'is': 'levels', 'depth': [left_depth, right_depth], 'gap': gap, 'mean': mean, 'size': size}
        order by number desc, left_depth, right_depth) as levels
    from levels join gaps_of_levels using (pair, left_depth, right_depth) group by pair
), largest as (
    select pair, list({'is': 'outlier', 'player': person, 'files': [l.file, r.file], 'left': "left", 'right': "right",
        'decisions': decisions, 'counting': counting} order by abs(gap) desc, l.file, r.file, person)[:25] as outliers
    from usable_gaps g join matches l on l.match = g.left_match join matches r on r.match = g.right_match
    where abs(gap) >= 0.005 group by pair
), rates as (
    select pair, mean_of(gap, number, same_as) as mean, size_of(size, number, same_as) as size from by_match
    where speaks group by pair
), usable_by_pair as (
    select pair, gaps_of(gap, same_as) as gap, gaps_of(counting, same_as) as counting, stddev_samp(gap) as spread
    from usable_gaps group by pair
), pooled_pairs as (
    -- The players with most decisions, by either analyser.
    select pair, person, sum(left_lost) / sum(left_number) as l, sum(right_lost) / sum(right_number) as r from usable_gaps
    group by pair, person qualify row_number() over (partition by pair order by sum(left_number) desc, person) <= 100
), ranked_pairs as (
    select pair, count(*) as ordered, count(*) filter ((a.l < b.l) = (a.r < b.r)) as agreed
    from pooled_pairs a join pooled_pairs b using (pair) where a.person < b.person and a.l <> b.l and a.r <> b.r group by pair
), left_out as (
    select pair, count(*) filter (where not complete) as incomplete,
        count(*) filter (where complete and decisions < {fewest}) as short
    from gaps where speaks group by pair
), named_pairs as (
    select distinct pair, "left", "right", "left" = "right" as is_same, if(is_same, left_depth, null) as left_depth,
        if(is_same, right_depth, null) as right_depth from pairs_of_tools
)
select {'is': 'tool', 'name': "left", 'depth': left_depth} as "left", {'is': 'tool', 'name': "right", 'depth': right_depth} as "right",
    gap, counting, mean, size, spread, coalesce(ordered, 0) as ordered, coalesce(agreed, 0) as agreed,
    if(is_same, [], levels) as levels, incomplete, short, coalesce(outliers, []) as outliers
from named_pairs join usable_by_pair using (pair) join rates using (pair) join left_out using (pair)
join listed_levels using (pair) left join largest using (pair) left join ranked_pairs using (pair) order by pair

-- question: usual
-- Of more sizes than 200,000 in a pair, evenly spaced ones.
with sizes as (
    select g.pair, [any_value(t."left"), any_value(t."right")] as tools, [g.left_lookahead, g.right_lookahead] as lookahead,
        count(distinct g.same_as) as matches, list(abs(gap) order by abs(gap)) as gaps
    from gaps g join pairs_of_tools t using (pair, left_match, right_match) where complete
    group by g.pair, g.left_lookahead, g.right_lookahead
)
select tools, lookahead, matches, if(len(gaps) <= 200000, gaps,
    [gaps[1 + round(place * (len(gaps) - 1) / 199999)::bigint] for place in range(200000)]) as gaps
from sizes order by pair, lookahead[1] nulls first, lookahead[2] nulls first

-- question: disputes
-- First the decisions on which the verdicts differ: another best action, or an error to one tool alone; then those that are only
-- valued differently. The largest of all is among them, even if the verdicts agree there and as many differ as are shown.
with speaking as (select * from pairs_of_tools where speaks
), judged as (
    select match, side, s.seat, game, turn, class_of(kind) as class, action, xgid, best, {error a.rules} as error
    from decisions d join sides s using (match, seat) join analyses a using (match)
    semi join (select unnest([left_match, right_match]) as match from speaking) using (match)
    where d.analysed
), disputed as (
    select left_match, right_match, l.seat, game, turn, class, coalesce(l.action, r.action, '') as action,
        coalesce(l.xgid, r.xgid, '') as xgid, l.error as left_error, r.error as right_error, l.best as left_best, r.best as right_best,
        abs(l.error - r.error) as stake, coalesce(l.best <> r.best, false)
            or (least(l.error, r.error) < {border} and stake >= {border}) as differs
    from speaking p join judged l on l.match = p.left_match
    join judged r using (game, turn, class, side)
    where r.match = p.right_match and abs(l.error - r.error) >= 0.0005
    qualify row_number() over (order by differs desc, stake desc, left_match, right_match, game, turn, class) <= {shown}
        or (stake > max(stake) filter (where differs) over () and row_number() over (
            partition by differs order by stake desc, left_match, right_match, game, turn, class) = 1)
)
select coalesce(n.person, '') as player, coalesce(o.person, '') as opponent, game, turn, action, xgid, [
    {'is': 'verdict', 'tool': {'is': 'tool', 'name': l.tool, 'depth': if(l.tool = r.tool, depth_of(l.lookahead, l.level_name), null)},
        'file': l.file, 'error': left_error, 'best': left_best},
    {'is': 'verdict', 'tool': {'is': 'tool', 'name': r.tool, 'depth': if(l.tool = r.tool, depth_of(r.lookahead, r.level_name), null)},
        'file': r.file, 'error': right_error, 'best': right_best}] as verdicts, differs
from disputed d join matches l on l.match = left_match join matches r on r.match = right_match
left join named n on n.match = left_match and n.seat = d.seat left join named o on o.match = left_match and o.seat = 1 - d.seat
order by differs desc, stake desc, left_match, right_match, game, turn, class

-- question: effects
with sized as (
    select q.*, abs(coalesce(q.pr, 0)) as size, "from" || ' → ' || "to" as answers from questions q
    semi join usable using (match, seat)
), most as (
    select question, arg_max(match, (size, -match, -seat)) as match, arg_max(name, (size, -match, -seat)) as name
    from sized group by question
), by_match as (
    select question, match, sum(size) as lost, count(*) as number from sized group by question, match
), sizes as (
    select question, size_of(lost, number, match) as interval from by_match group by question
)
select question, string_agg(distinct answers, ', ' order by answers) as answers, count(*) as players,
    count(*) filter (where size > 1e-9 or decisions <> 0) as changed, avg(size) as mean, any_value(interval) as interval,
    quantile_cont(size, 0.95) as high, max(size) as most, sum(abs(decisions))::bigint as decisions, any_value(m.file) as file,
    any_value(most.name) as player
from sized join most using (question) join sizes using (question) join matches m on m.match = most.match
group by question order by mean desc, question

-- question: open_prs
select rules, sum(count(*)) over (partition by rules)::bigint as players, count(p.pr_low) as changed,
    max(p.pr_high - p.pr_low) as widest, coalesce(m.length = 1, false) as one_point,
    arg_max(p.person, p.pr_high - p.pr_low) as player, arg_max([p.pr_low, p.pr_high], p.pr_high - p.pr_low) as ends
from pooled p semi join usable using (match, seat) join matches m on m.match = p.match
group by p.rules, one_point qualify changed > 0 order by p.rules, one_point

-- question: phases
with by_game as (
    select phase, part, match, game, sum(lost) as lost, sum(number) as number from by_phase group by all
    union all select phase, 'both', match, game, sum(lost), sum(number) from by_phase group by all
), rates as (
    select phase, part, pr_of(lost, number, match) as rate, sum(lost) as lost from by_game group by all
)
select phase as name, map_from_entries(list((part, rate))) as rates, sum(lost) filter (where part = 'both') as lost,
    sum(lost) filter (where part = 'both')
        / nullif(sum(sum(lost) filter (where part = 'both')) over (), 0) as share
from rates group by phase order by list_position({phases}, phase)

-- question: by_person
with by_game as (
    select rank, r.person, once.tool, once.depth, phase, b.match, b.game, sum(lost) as lost, sum(number) as number
    from by_phase b join once using (match) join named n using (match, seat)
    join ranked r on r.person = n.person and r.tool = once.tool and r.depth = once.depth
    where rank <= 20 group by all
), rates as (
    select rank, person, tool, depth, phase, pr_of(lost, number, match) as rate from by_game group by all
)
select person, analysis_of(tool, depth), map_from_entries(list((phase, rate))) from rates
group by rank, person, tool, depth order by rank

-- question: cube_by_score
select away, opponent_away, pr_of(lost, number, match) as rate from (
    select match, game, away, opponent_away, sum(lost) as lost, sum(number) as number
    from decided where not checker and phase is not null and number > 0 and away <= {longest} and opponent_away <= {longest}
    group by all)
group by away, opponent_away order by away, opponent_away

-- question: luck
-- `without_luck` and `without_pr` are finished matches without the luck of every roll, or in which a player has too few decisions.
with of_results as (
    select share_of(count(*) filter (where luckier and won), count(*) filter (where luckier)) as luckier,
        share_of(count(*) filter (where better and won), count(*) filter (where better)) as better,
        share_of(count(*) filter (where luckier and worse and won), count(*) filter (where luckier and worse)) as luck_over_skill
    from sides_of_results
), finished as (
    select match, bool_and(luck is not null) as lucky, bool_and(pr is not null) as rated from results group by match
)
select any_value(luckier) as luckier, any_value(better) as better, any_value(luck_over_skill) as luck_over_skill,
    count(*) filter (where once.match is not null and length is null) as money,
    count(*) filter (where once.match is not null and length is not null and f.match is null) as unfinished,
    count(*) filter (where not lucky) as without_luck, count(*) filter (where not rated) as without_pr
from of_results left join (once join matches m using (match) left join finished f using (match)) on true

-- question: bins
select 10.0 * place as low, if(place = 5, null, 10.0 * (place + 1)) as high,
    share_of(count(*) filter (where won), count(*)) as won
from (select least(floor(luck / 10), 5) as place, won from sides_of_results where luckier) group by place order by place

-- question: fortunes
select person as name, mean_of(luck, 1, match) as luck, share_of(count(*) filter (where won), count(*)) as won from results
where luck is not null group by person having count(*) >= 5 order by count(*) desc, person limit 12

-- question: periods
select undated, coalesce((select list(period order by period) from periods), []) as names from span

-- question: courses
-- All players together, for every tool and depth, then twelve of those with most decisions, who have a rate in two periods.
with by_game as (
    select null as rank, null as person, tool, depth, period, match, sum(lost) as lost, sum(number) as number
    from dated group by match, game, tool, depth, period
    union all select rank, person, tool, depth, period, match, lost, number
    from dated join ranked using (person, tool, depth) where rank <= 100
), rates as (
    select rank, person, tool, depth, period, sum(number) >= {fewest} as has_rate, pr_of(lost, number, match) as rate
    from by_game semi join periods using (period) group by all
), enough as (
    select rank, person, tool, depth from rates group by rank, person, tool, depth
    having count(*) filter (where has_rate) >= if(person is null, 1, 2)
    qualify person is null or row_number() over (partition by person is null order by rank) <= 12
)
select e.person as name, analysis_of(e.tool, e.depth) as analysis, list(r.rate order by p.period) as rates
from enough e cross join periods p left join rates r
    on r.period = p.period and r.tool = e.tool and r.depth = e.depth and r.rank is not distinct from e.rank
group by e.rank, e.person, e.tool, e.depth order by e.rank nulls first, e.tool, e.depth
