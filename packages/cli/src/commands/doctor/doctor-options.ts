import { jsonOption } from '../../command/common-options.ts'
import type { OptionsOf } from '../../command/define-command.ts'

export const doctorOptions = {
  online: { summary: "ask the model's provider whether the key is good, with one cheap request" },
  ...jsonOption,
} as const

export type DoctorOptions = OptionsOf<typeof doctorOptions>
