import { Center, Stack, Text } from '@mantine/core'
import encodeQr from 'qr'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'

/** Maximum number of bytes that a phone still reads from a screen. */
const mostBytes = 1_800

/** A QR code with the whole credential, or with its id if the credential is too long. */
export const CredentialQr = ({ id, document }: { readonly id: string; readonly document: unknown }) => {
  const { t } = useTranslation('twins')
  const text = JSON.stringify(document)
  const isWhole = new TextEncoder().encode(text).length <= mostBytes
  const shown = isWhole ? text : id
  const { path, size } = useMemo(
    () => pathOf(encodeQr(shown, 'raw', { ecc: isWhole ? 'low' : 'medium', border: 4 })),
    [shown, isWhole],
  )
  return (
    <Center>
      <Stack gap="xs" align="center">
        <svg
          role="img"
          aria-label={t('credentials.qr')}
          viewBox={`0 0 ${size} ${size}`}
          style={{ inlineSize: isWhole ? 'min(28rem, 78vw)' : '14rem', background: '#fff' }}
          shapeRendering="crispEdges"
        >
          <path d={path} fill="#000" />
        </svg>
        <Text size="sm" c="dimmed" maw="28rem" ta="center">
          {t(isWhole ? 'credentials.qrWhole' : 'credentials.qrId')}
        </Text>
      </Stack>
    </Center>
  )
}

const pathOf = (rows: readonly (readonly boolean[])[]): { readonly path: string; readonly size: number } => ({
  path: rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join(''),
  size: rows.length,
})
