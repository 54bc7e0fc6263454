import { feature } from 'topojson-client'

export type Countries = Parameters<typeof feature>[0]

/** A point in degrees, longitude first, and a closed ring of them. */
type Point = number[]

/**
 * Returns a ring that crosses the antimeridian with longitudes beyond 180 degrees, instead of an edge back around the world.
 * A ring around a pole is closed over the pole.
 */
const continuousRing = (ring: readonly Point[]): Point[] => {
  const points: Point[] = []
  let turns = 0
  let previous: number | undefined
  for (const [longitude = 0, latitude = 0] of ring) {
    const step = longitude - (previous ?? longitude)
    if (Math.abs(step) > 180) turns -= Math.sign(step) * 360
    previous = longitude
    points.push([longitude + turns, latitude])
  }
  const [first, last] = [points[0], points.at(-1)]
  if (turns === 0 || first === undefined || last === undefined) return points
  const pole = Math.sign(last[1] ?? 0) * 90
  return [...points, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first]
}

/** Returns the countries of Natural Earth as polygons that a map can cut at the antimeridian. */
export const countryShapes = (countries: Countries) => {
  const { features } = feature(countries, 'countries') as unknown as GeoJSON.FeatureCollection
  return {
    type: 'FeatureCollection' as const,
    features: features.map(({ geometry }) => ({
      type: 'Feature' as const,
      properties: {},
      geometry: {
        type: 'MultiPolygon' as const,
        coordinates: polygonsOf(geometry).map(rings => rings.map(ring => continuousRing(ring))),
      },
    })),
  }
}

const polygonsOf = (geometry: GeoJSON.Geometry): readonly (readonly (readonly Point[])[])[] => {
  if (geometry.type === 'MultiPolygon') return geometry.coordinates
  return geometry.type === 'Polygon' ? [geometry.coordinates] : []
}
