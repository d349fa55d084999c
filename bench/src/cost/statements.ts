import type pg from 'pg'

interface Row {
  calls: number
  planned: number
  executed: number
  query: string
}

const most = 25

export function createStatements(owner: pg.Pool) {
  return {
    reset: async () => void (await owner.query('select pg_stat_statements_reset()')),
    /**
     * Returns the most expensive statements: calls, planning ms and execution ms per request, and the beginning of the
     * text.
     */
    async table(requests: number): Promise<string> {
      const { rows } = await owner.query<Row>(
        `select sum(calls)::float8 / $1 as calls, sum(total_plan_time) / $1 as planned, sum(total_exec_time) / $1 as executed,
           left(regexp_replace(query, '\\s+', ' ', 'g'), 130) as query
         from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
         group by query order by sum(total_plan_time + total_exec_time) desc limit $2`,
        [requests, most],
      )
      return rows
        .map(({ calls, planned, executed, query }) => {
          const figures = [calls.toFixed(2), planned.toFixed(3), executed.toFixed(3)]
          return `    ${figures.map((figure) => figure.padStart(7)).join(' ')}  ${query}`
        })
        .join('\n')
    },
  }
}
