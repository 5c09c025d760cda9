import { testForgeSteering } from '../contracts/forge-steering.ts'
import { openForgeBench } from './forge-bench.ts'

testForgeSteering('the forge on @octokit', openForgeBench)
