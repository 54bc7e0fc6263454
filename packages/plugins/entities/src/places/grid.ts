import type { Position } from './position.ts'

/** A rectangle on earth, in degrees. If `west` is greater than `east`, it crosses the antimeridian. */
export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

/** A cell of the grid: the world at level 0, and a quarter of a cell at each level below. */
export interface Cell {
  readonly level: number
  readonly column: number
  readonly row: number
}

/** Cells of this level are 0.5 by 0.3 m on the equator; their numbers have 52 bits. */
const finest = 26

/** Maximum number of columns and of rows of the cells that cover a box. */
const maxAcross = 16

/** Returns the number of the finest cell of a position. Numbers in a cell of any level are consecutive (Morton order). */
export const cellNumber = (position: Position): number =>
  numberOf({ level: finest, column: columnAt(position.longitude, finest), row: rowAt(position.latitude, finest) })

/** Returns the numbers in a cell: from the first up to, but not including, the second. */
export const cellRange = (cell: Cell): readonly [number, number] => {
  const size = 4 ** (finest - cell.level)
  const number = numberOf(cell)
  return [number * size, (number + 1) * size]
}

/** Returns the cells that cover a box, of the finest level with at most 16 columns and 16 rows. */
export const cellsOver = (box: Box): readonly Cell[] => {
  const level = levelFor(box)
  const columns = columnsOver(box, level)
  const [south, north] = [rowAt(box.south, level), rowAt(box.north, level)]
  const cells: Cell[] = []
  for (let row = south; row <= north; row += 1) {
    for (const column of columns) cells.push({ level, column, row })
  }
  return cells
}

export const boxOf = ({ level, column, row }: Cell): Box => {
  const [width, height] = [360 / 2 ** level, 180 / 2 ** level]
  return {
    west: column * width - 180,
    south: row * height - 90,
    east: (column + 1) * width - 180,
    north: (row + 1) * height - 90,
  }
}

export const isInside = ({ latitude, longitude }: Position, { west, south, east, north }: Box): boolean =>
  latitude >= south &&
  latitude <= north &&
  (west <= east ? longitude >= west && longitude <= east : longitude >= west || longitude <= east)

const levelFor = (box: Box): number => {
  for (let level = finest; level > 0; level -= 1) {
    const rows = rowAt(box.north, level) - rowAt(box.south, level) + 1
    if (rows <= maxAcross && widthOf(box, level) <= maxAcross) return level
  }
  return 0
}

/** Number of columns over a box; more than there are if its ends share one around the world. */
const widthOf = ({ west, east }: Box, level: number): number => {
  const across = columnAt(east, level) - columnAt(west, level) + 1
  return west <= east ? across : across + 2 ** level
}

const columnsOver = (box: Box, level: number): readonly number[] => {
  const first = columnAt(box.west, level)
  const width = Math.min(widthOf(box, level), 2 ** level)
  return Array.from({ length: width }, (_, index) => (first + index) % 2 ** level)
}

const columnAt = (longitude: number, level: number): number => partOf((longitude + 180) / 360, level)

const rowAt = (latitude: number, level: number): number => partOf((latitude + 90) / 180, level)

const partOf = (share: number, level: number): number =>
  Math.min(Math.max(Math.floor(share * 2 ** level), 0), 2 ** level - 1)

/** Interleaves the bits of column and row. */
const numberOf = ({ level, column, row }: Cell): number => {
  let number = 0
  for (let bit = level - 1; bit >= 0; bit -= 1) {
    number = number * 4 + ((row >> bit) & 1) * 2 + ((column >> bit) & 1)
  }
  return number
}
