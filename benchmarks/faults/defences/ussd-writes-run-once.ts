// An action that a killed process was in the middle of runs again, whatever it does.
import { replaceSource } from '../frame/replace-source.ts'

replaceSource([
  {
    file: 'packages/plugins/ussd/src/sessions/action-recovery.ts',
    find: "else if (step.action.effect === 'write') await",
    replace: "else if (step.action.effect === 'never') await",
  },
  {
    file: 'packages/plugins/ussd/src/sessions/late-actions.ts',
    find: "if (action.effect === 'write') return",
    replace: "if (action.effect === 'never') return",
  },
])
