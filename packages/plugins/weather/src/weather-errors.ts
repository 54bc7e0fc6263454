import { defineToolFailures } from '@sibyl/plugin'

/** Errors whose messages are for the model and the user; each is an HTTP problem as well. */
export const weatherErrors = defineToolFailures({
  city_missing: { status: 400, message: "The city is missing. Name one, as in 'city=Berlin'." },
  city_invalid: {
    status: 400,
    message: `The city {problem}. Give its name, as in 'Berlin' or 'Paris, Texas'.`,
    summary: 'The text is not a valid name of a city.',
  },
  city_unknown: {
    status: 404,
    message: `The place '{city}' is unknown. Check the name, or use the city's name alone.`,
  },
  weather_unavailable: {
    status: 502,
    message: 'The weather provider is unreachable. Try again in a minute.',
  },
  weather_timeout: { status: 504, message: 'The weather provider took too long to answer. Try again in a minute.' },
  weather_bad_response: {
    status: 502,
    message: 'The weather provider returned an invalid response. Try again later.',
  },
})
