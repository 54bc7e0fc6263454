import { isObject, type JsonObject, type JsonValue } from '@sibyl/protocol'

/** A position on earth, in degrees of WGS 84. */
export interface Position {
  readonly latitude: number
  readonly longitude: number
}

/**
 * Returns the position of an entity: its property `location` as a GeoJSON Point or as an object with `latitude` and
 * `longitude`, or its properties `latitude` and `longitude`. Other values are ignored.
 */
export const positionOf = (properties: Readonly<JsonObject>): Position | undefined =>
  fromPoint(properties.location) ?? fromDegrees(properties.location) ?? fromDegrees({ ...properties })

const fromPoint = (value: JsonValue | undefined): Position | undefined => {
  if (!isObject(value) || value.type !== 'Point' || !Array.isArray(value.coordinates)) return undefined
  const [longitude, latitude] = value.coordinates
  return checked(latitude, longitude)
}

const fromDegrees = (value: JsonValue | undefined): Position | undefined =>
  isObject(value) ? checked(value.latitude, value.longitude) : undefined

const checked = (latitude: JsonValue | undefined, longitude: JsonValue | undefined): Position | undefined =>
  isWithin(latitude, 90) && isWithin(longitude, 180) ? { latitude, longitude } : undefined

const isWithin = (value: JsonValue | undefined, max: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= max
