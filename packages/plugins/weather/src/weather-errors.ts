import { defineToolFailures, ToolFailure } from '@sibyl/plugin'

// Each is a ToolFailure, so that model and person may read its text, and by its status and code an HTTP problem as well.

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

/** Errors whose message the model and the user read. */
export const weatherErrors = defineToolFailures({
  city_missing: { status: 400, message: "No city was given. Name one, as in 'city=Berlin'." },
  city_invalid: { status: 400, message: `The city {fault}. Give its name, as in 'Berlin' or 'Paris, Texas'.` },
  city_unknown: {
    status: 404,
    message: `No place called '{city}' is known. Check the spelling, or try the city's name alone.`,
  },
})
