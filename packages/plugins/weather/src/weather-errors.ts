import { ToolFailure } from '@sibyl/plugin'

// Each is a ToolFailure, so that model and person may read its text, and by its status and code an HTTP problem as well.

/** No city was given. */
export class CityMissing extends ToolFailure {
  override readonly code = 'city_missing'
  override readonly status = 400

  constructor() {
    super("No city was given. Name one, as in 'city=Berlin'.")
  }
}

/** The text cannot be the name of a city. */
export class CityInvalid extends ToolFailure {
  override readonly code = 'city_invalid'
  override readonly status = 400

  /** @param fault What is wrong with it, as the end of "The city ...". */
  constructor(fault: string) {
    super(`The city ${fault}. Give its name, as in 'Berlin' or 'Paris, Texas'.`)
  }
}

/** The provider knows no such place. */
export class CityUnknown extends ToolFailure {
  override readonly code = 'city_unknown'
  override readonly status = 404

  constructor(city: string) {
    super(`No place called '${city}' is known. Check the spelling, or try the city's name alone.`)
  }
}

/** The weather provider cannot be reached or says that it fails. */
export class WeatherUnavailable extends ToolFailure {
  override readonly code = 'weather_unavailable'
  override readonly status = 502

  constructor(options?: ErrorOptions) {
    super('The weather provider cannot be reached just now. Try again in a minute.', options)
  }
}

/** The weather provider did not answer in time. */
export class WeatherTimeout extends ToolFailure {
  override readonly code = 'weather_timeout'
  override readonly status = 504

  constructor(options?: ErrorOptions) {
    super('The weather provider took too long to answer. Try again in a minute.', options)
  }
}

/** The weather provider answered something that is not a weather report. */
export class WeatherBadResponse extends ToolFailure {
  override readonly code = 'weather_bad_response'
  override readonly status = 502

  constructor(options?: ErrorOptions) {
    super("The weather provider's answer could not be understood. Try again later.", options)
  }
}
