import { expect, test } from 'vitest'
import { nextPhase, type TurnPhase } from './turn.ts'

const phases: readonly TurnPhase[] = ['claimed', 'running', 'waiting', 'ending', 'stored']

test('a turn runs from its claim to its stored end, with or without a question', () => {
  const through = (path: readonly TurnPhase[]) => path.reduce((phase, next) => nextPhase(phase, next))
  expect(through(phases)).toBe('stored')
  expect(through(phases.filter(phase => phase !== 'waiting'))).toBe('stored')
})

test('no other transition is possible', () => {
  const possible = phases.flatMap(phase =>
    phases.filter(next => {
      try {
        return nextPhase(phase, next) === next
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError)
        return false
      }
    }),
  )
  expect(possible).toEqual(['running', 'waiting', 'ending', 'ending', 'stored'])
})
