export { type WeatherOptions, weather } from './weather.ts'
export { type WeatherDay, weatherForecasts } from './weather-forecasts.ts'
