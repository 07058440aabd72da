-- The matches of several archives, `every`, as those of one: an analysis is that of the first archive that has it; what one archive
-- knows to be the same match is one in all of them, and of the analyses by one tool at one depth the fullest counts.
with analyses as (
    from every qualify row_number() over (partition by match order by archive) = 1
), joined as (
    select *, min(same_as) over (partition by if(match_id = '', match::varchar, match_id)) as first from analyses
), same as (
    select * replace (min(first) over (partition by archive, same_as) as same_as) from joined
), counting as (
    select match, if(analysed > 0,
        first_value(match) over (partition by same_as, tool, lookahead, if(lookahead is null, level_name, null)
            order by duplicate_of is not null, twin_of is not null, analysed desc, archive, match),
        first_value(match) over (partition by same_as, tool
            order by duplicate_of is not null, twin_of is not null, analysed desc, archive, match)) as counting
    from same
)
select same.* exclude (first, archive) replace (nullif(counting, match) as duplicate_of) from same join counting using (match)
