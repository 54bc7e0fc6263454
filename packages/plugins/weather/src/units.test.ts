import { expect, test } from 'vitest'
import { temperatureRangeText, temperatureText, toFahrenheit } from './units.ts'

test.each([
  [0, 32],
  [14, 57.2],
  [-40, -40],
  [36.6, 97.9],
])('%s °C is %s °F', (celsius, fahrenheit) => {
  expect(toFahrenheit(celsius)).toBe(fahrenheit)
})

test('a temperature is worded in the units', () => {
  expect(temperatureText(14.5, 'celsius')).toBe('14.5 °C')
  expect(temperatureText(14.5, 'fahrenheit')).toBe('58.1 °F')
  expect(temperatureRangeText(-2, 3, 'celsius')).toBe('-2 to 3 °C')
  expect(temperatureRangeText(-2, 3, 'fahrenheit')).toBe('28.4 to 37.4 °F')
})
