import { defineToolFailures } from '@sibyl/plugin'

/** Errors whose message the model and the user read; each is an HTTP problem as well. */
export const weatherErrors = defineToolFailures({
  city_missing: { status: 400, message: "No city was given. Name one, as in 'city=Berlin'." },
  city_invalid: {
    status: 400,
    message: `The city {fault}. Give its name, as in 'Berlin' or 'Paris, Texas'.`,
    summary: 'The text cannot be the name of a city.',
  },
  city_unknown: {
    status: 404,
    message: `No place called '{city}' is known. Check the spelling, or try the city's name alone.`,
  },
  weather_unavailable: {
    status: 502,
    message: 'The weather provider cannot be reached just now. Try again in a minute.',
  },
  weather_timeout: { status: 504, message: 'The weather provider took too long to answer. Try again in a minute.' },
  weather_bad_response: {
    status: 502,
    message: "The weather provider's answer could not be understood. Try again later.",
  },
})
