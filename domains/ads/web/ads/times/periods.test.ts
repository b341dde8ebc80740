import { expect, test } from "vitest";
import { minuteOfClock, minutesIn, withoutPeriod, withPeriod } from "./periods.ts";
import { clock, periodWords, weekdaysWords } from "../../../contract/index.ts";

test("painting hours joins what touches, and taking hours away cuts", () => {
  expect(withPeriod([], [540, 600])).toEqual([[540, 600]]);
  expect(withPeriod([[540, 600]], [600, 660])).toEqual([[540, 660]]);
  expect(
    withPeriod(
      [
        [540, 600],
        [720, 780],
      ],
      [570, 750],
    ),
  ).toEqual([[540, 780]]);
  expect(withoutPeriod([[540, 780]], [600, 660])).toEqual([
    [540, 600],
    [660, 780],
  ]);
  expect(withoutPeriod([[570, 600]], [540, 600])).toEqual([]);
  expect([8, 9, 10].map((hour) => minutesIn([[570, 630]], hour))).toEqual([0, 30, 30]);
});

test("times as people write them, back and forth", () => {
  expect([0, 65, 1_440].map(clock)).toEqual(["00:00", "01:05", "24:00"]);
  expect(["9:30", "09：30", "24:00"].map(minuteOfClock)).toEqual([570, 570, 1_440]);
  for (const wrong of ["", "9", "25:00", "24:01", "09:60", "a:b"]) expect(minuteOfClock(wrong), wrong).toBeNaN();
  expect([
    periodWords([[0, 1_440]]),
    periodWords([
      [540, 720],
      [780, 1_110],
    ]),
  ]).toEqual(["全天", "09:00–12:00、13:00–18:30"]);
});

test.each([
  [[1, 2, 3, 4, 5, 6, 7], "每天"],
  [[5, 1, 2, 3, 4], "周一至周五"],
  [[6, 7], "周六、周日"],
  [[1, 3, 7], "周一、周三、周日"],
])("weekdays %j are %s", (weekdays, words) => expect(weekdaysWords(weekdays)).toBe(words));
