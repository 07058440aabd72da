-- Of `read`, the files of a run, and `contents`, what the batches have of them: the table of files, and the batches that are to be made anew.

-- Of every content that is asked for the first batch that has it.
create table chosen as select sha256, min(batch) as batch from contents semi join read using (sha256) group by sha256;
-- Batches with rows that nothing asks for, or with nothing that is asked for, and the contents that are asked of them.
create view unfit as
select c.batch, coalesce(list(c.sha256) filter (h.sha256 is not null), []) as asked from contents c left join chosen h using (sha256, batch)
group by c.batch having not bool_or(h.sha256 is not null) or bool_or(h.sha256 is null and c.matches > 0) order by c.batch;
create table files as
select r.rowid as place, r.file, r.sha256, coalesce(c.matches, 0)::integer as matches, coalesce(r.error, c.error) as error
from read r left join chosen h using (sha256) left join contents c on c.sha256 = h.sha256 and c.batch = h.batch order by place;
