import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../components/use-format.ts'
import classes from './flow-graph.module.css'
import { heatLimits } from './screen-counts.ts'

/** The levels of the heat, as shares of the times that a screen was shown. */
export const HeatLegend = () => {
  const { t } = useTranslation('phone')
  const { percent } = useFormat()
  const levels = heatLimits.map((from, place) => {
    const to = heatLimits[place + 1]
    if (to === undefined) return `≥ ${percent(from)}`
    return from === 0 ? `< ${percent(to)}` : `${percent(from)}–${percent(to)}`
  })
  return (
    <Group component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('heat.label')}>
      {[t('heat.none'), ...levels].map((level, heat) => (
        <Group key={level} component="li" gap={6}>
          <span className={classes.legend} data-heat={heat} aria-hidden />
          <Text size="xs" c="dimmed">
            {level}
          </Text>
        </Group>
      ))}
    </Group>
  )
}
