import type { Ports } from '../core/ports.ts'
import { stopBaselines } from '../verify/run/baseline.ts'

/** Nothing that a step began runs on when the run is over: the program would wait for it. */
export const endRun = (ports: Pick<Ports, 'workspace'>): Promise<void> => stopBaselines(ports)
