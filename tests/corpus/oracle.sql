-- What a study of real archives is to say, by plain SQL over the tables. `phases` and `scores`: number of decisions, matches and PR, of
-- XG's analyses; `disputes`: every pair of analyses that speaks for its tools, decision by decision.

-- phases
select phase, part, count(*), count(distinct match), if(count(*) < 20, null, 500 * avg(error_xg)), depth
from (select *, unnest([if(kind = 'play', 'checker', 'cube'), 'both']) as part,
        coalesce(format('{:g} ', lookahead) || if(lookahead = 1, 'ply ahead', 'plies ahead'), replace(level_name, 'XG ', '')) as depth from decisions join matches using (match)
    where tool = 'eXtreme Gammon' and counted_xg and phase is not null)
group by phase, part, depth

-- scores
select away, opponent_away, count(*), count(distinct match), if(count(*) < 20, null, 500 * avg(error_xg)),
    coalesce(format('{:g} ', lookahead) || if(lookahead = 1, 'ply ahead', 'plies ahead'), replace(level_name, 'XG ', '')) as depth
from decisions join matches using (match)
where tool = 'eXtreme Gammon' and counted_xg and kind <> 'play' and phase is not null and away is not null
group by away, opponent_away, depth

-- disputes
with analysed as (
    select *, coalesce(lookahead, 99) as depth, list_position(['eXtreme Gammon', 'GNU Backgammon', 'BGBlitz'], tool) as place
    from matches where duplicate_of is null and analysed > 0 and place is not null
), pairs as (
    select l.match as left_match, r.match as right_match, l.file as left_file, r.file as right_file
    from analysed l join analysed r on l.same_as = r.same_as and l.rolls = r.rolls
    where l.place < r.place or (l.tool = r.tool and l.depth < r.depth)
    qualify row_number() over (partition by l.same_as, l.tool, r.tool, if(l.tool = r.tool, [l.depth, r.depth], null)
        order by l.fully_analysed and r.fully_analysed desc, l.depth + r.depth desc) = 1
), judged as (
    select d.match, game, turn, action, xgid, best,
        if(kind = 'play', 'play', if(kind like '%double', 'cube', 'answer')) as part,
        case tool when 'eXtreme Gammon' then error_xg when 'GNU Backgammon' then error_gnubg else error_bgblitz end as error
    from decisions d join matches using (match) where d.analysed and kind not like '%resign'
)
select coalesce(l.best <> r.best, false) or (least(l.error, r.error) < 0.02 and abs(l.error - r.error) >= 0.02) as differs,
    abs(l.error - r.error) as stake, game, turn, coalesce(l.action, r.action, '') as action, coalesce(l.xgid, r.xgid, '') as xgid,
    left_file, l.error, l.best, right_file, r.error, r.best
from pairs join judged l on l.match = left_match join judged r using (game, turn, part)
where r.match = right_match and abs(l.error - r.error) >= 0.0005
order by differs desc, stake desc, game desc, turn desc
