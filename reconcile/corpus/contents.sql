-- Of `read`, the files of a run, and `contents`, what the batches have of them: the table of files, and the batches that are to be made anew.
-- `key` is the first half of a SHA-256, a number, which is joined in less memory than a text.

-- Of every content that is asked for the first batch that has it.
create table chosen as
select key, batch, matches, error from contents semi join read using (key) qualify row_number() over (partition by key order by batch) = 1;
-- Batches with rows that nothing asks for, or with nothing that is asked for, which come first: what is made anew may have their names.
create table unfit as
select batch from contents c left join (select key, batch, true as is_chosen from chosen) using (key, batch)
group by batch having count(is_chosen) = 0 or bool_or(is_chosen is null and c.matches > 0) order by count(is_chosen) > 0, batch;
create table files as
select r.rowid as place, r.file, r.sha256, coalesce(c.matches, 0)::integer as matches, coalesce(r.error, c.error) as error,
    r.rowid // 8192 as slice, key
from read r left join chosen c using (key) order by place;
drop table read;
