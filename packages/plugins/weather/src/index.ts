export { type WeatherOptions, weather } from './weather.ts'
