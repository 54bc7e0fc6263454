import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { QrCode } from './qr-code.tsx'

/** Maximum number of bytes that a phone still reads from a screen. */
const maxBytes = 1_800

/** Returns whether a text fits into a QR code that a phone reads from a screen. */
export const fitsQr = (text: string): boolean => new TextEncoder().encode(text).length <= maxBytes

/** A long text as a QR code, or something else if it does not fit. */
export const FittingQr = ({
  text,
  label,
  note,
  otherwise,
}: {
  readonly text: string
  readonly label: string
  /** Describes the content of the code. */
  readonly note: string
  readonly otherwise: ReactNode
}) =>
  fitsQr(text) ? (
    <Stack gap="xs" align="center">
      <QrCode text={text} label={label} size="min(28rem, 78vw)" ecc="low" border={4} />
      <Text size="sm" c="dimmed" maw="28rem" ta="center">
        {note}
      </Text>
    </Stack>
  ) : (
    otherwise
  )
