import type { EntityPlaces } from '@sibyl/plugin-entities/records'

/** A rectangle in degrees; if `west` is greater than `east`, it crosses the antimeridian. */
export type Box = Omit<EntityPlaces['cells'][number], 'count'>

export const world: Box = { west: -180, south: -90, east: 180, north: 90 }

/** Returns the box as the parameter `bbox`. */
export const bboxOf = ({ west, south, east, north }: Box): string =>
  [west, south, east, north].map(degrees => degrees.toFixed(5)).join(',')

/** Returns the box of a map, whose longitudes go on beyond 180 degrees. */
export const boxOfMap = ({ west, south, east, north }: Box): Box => {
  const latitudes = { south: Math.max(south, -90), north: Math.min(north, 90) }
  return east - west >= 360
    ? { ...latitudes, west: -180, east: 180 }
    : { ...latitudes, west: wrapped(west), east: wrapped(east) }
}

const wrapped = (longitude: number): number => {
  const turned = ((((longitude + 180) % 360) + 360) % 360) - 180
  return turned === -180 && longitude > 0 ? 180 : turned
}

/** Returns the smallest box with all places and cells; undefined without any. */
export const extentOf = ({ places, cells }: EntityPlaces): Box | undefined => {
  const boxes: readonly Box[] = [
    ...cells,
    ...places.map(({ latitude, longitude }) => ({
      west: longitude,
      south: latitude,
      east: longitude,
      north: latitude,
    })),
  ]
  if (boxes.length === 0) return undefined
  return {
    west: Math.min(...boxes.map(({ west }) => west)),
    south: Math.min(...boxes.map(({ south }) => south)),
    east: Math.max(...boxes.map(({ east }) => east)),
    north: Math.max(...boxes.map(({ north }) => north)),
  }
}
