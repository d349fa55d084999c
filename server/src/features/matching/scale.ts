/** The scale of each column: a value becomes (value - mean) / deviation. */
export interface Scale {
  means: Float64Array
  deviations: Float64Array
}

const furthest = 4

/** The mean and standard deviation of each column. Ignores NaN, which means no answer. */
export function measureScale(rows: Float64Array, columns: number): Scale {
  const means = new Float64Array(columns)
  const deviations = new Float64Array(columns)
  for (let column = 0; column < columns; column++) {
    let count = 0
    let sum = 0
    let squares = 0
    for (let place = column; place < rows.length; place += columns) {
      const value = rows[place]!
      if (Number.isNaN(value)) continue
      count++
      sum += value
      squares += value * value
    }
    const mean = count > 0 ? sum / count : 0
    means[column] = mean
    deviations[column] = Math.sqrt(Math.max(0, squares / Math.max(count, 1) - mean * mean)) || 1
  }
  return { means, deviations }
}

/** Scales the cases and clips them to `most` deviations from the mean; missing answers become the mean. */
export function toScale(rows: Float64Array, { means, deviations }: Scale, most = furthest): Float64Array {
  const columns = means.length
  return rows.map((value, place) => {
    const column = place % columns
    const scaled = (value - means[column]!) / deviations[column]!
    return Number.isNaN(scaled) ? 0 : Math.max(-most, Math.min(most, scaled))
  })
}
