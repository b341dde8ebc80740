import { Select } from "@zhangfang/web/select/Select.tsx";
import { type ReactNode, useState } from "react";
import type { OutputOf } from "@zhangfang/contract/endpoint.ts";
import { Button } from "@zhangfang/web/show/Button.tsx";
import type { getImportSource } from "../contract.ts";
import { guessColumns } from "./sheet/read-sheet.ts";

/** 列对应: each column of ours and the heading that it is read from. What is known, or called the same, stands there already. */
export function MapColumns({
  fileName,
  headings,
  columns,
  known,
  onDone,
  onBack,
}: {
  fileName: string;
  headings: readonly string[];
  columns: OutputOf<typeof getImportSource>["columns"];
  known: Readonly<Record<string, string>>;
  onDone: (chosen: Readonly<Record<string, string>>) => void;
  onBack: () => void;
}): ReactNode {
  const [chosen, setChosen] = useState(() => guessColumns(headings, columns, known));
  const [tried, setTried] = useState(false);
  const missing = columns.filter(({ key, required }) => required && chosen[key] === undefined);
  const options = [...new Set(headings.filter(Boolean))].map((heading) => ({ value: heading, label: heading }));
  const twice = Object.values(chosen).find((heading, at, all) => all.indexOf(heading) !== at);
  const lacking = tried && missing.length > 0 && `还要选：${missing.map(({ label }) => label).join("、")}`;
  const wrong = twice === undefined ? lacking : `「${twice}」选了两次，一列只能读成一栏`;
  const set = (key: string, heading: string | undefined): void => {
    const { [key]: _before, ...rest } = chosen;
    setChosen(heading === undefined ? rest : { ...rest, [key]: heading });
  };
  return (
    <section className="import-map">
      <p className="import-lead">{fileName}：每一栏读表里的哪一列？记住这次的选择，下次同一平台的表直接用。</p>
      <table className="import-map-table" aria-label="列对应">
        <thead>
          <tr>
            <th scope="col">栏目</th>
            <th scope="col">表里的列</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => (
            <MapRow
              key={column.key}
              column={column}
              options={options}
              heading={chosen[column.key]}
              missing={tried && missing.includes(column)}
              onChange={(heading) => set(column.key, heading)}
            />
          ))}
        </tbody>
      </table>
      {wrong && (
        <p role="alert" className="form-failure import-failure">
          {wrong}
        </p>
      )}
      <div className="import-map-acts">
        <Button onClick={onBack}>换一个文件</Button>
        <Button
          tone="primary"
          onClick={() => {
            setTried(true);
            if (missing.length === 0 && twice === undefined) onDone(chosen);
          }}
        >
          检查
        </Button>
      </div>
    </section>
  );
}

function MapRow({
  column: { label, required, help },
  options,
  heading,
  missing,
  onChange,
}: {
  column: OutputOf<typeof getImportSource>["columns"][number];
  options: readonly { readonly value: string; readonly label: string }[];
  heading: string | undefined;
  missing: boolean;
  onChange: (heading: string | undefined) => void;
}): ReactNode {
  return (
    <tr>
      <th scope="row">
        {label}
        {required && <span className="import-required">必填</span>}
        {help && <span className="note import-map-help">{help}</span>}
      </th>
      <td>
        <Select
          aria-label={`${label}读哪一列`}
          aria-invalid={missing}
          className="import-map-choice"
          allowClear
          showSearch
          placeholder={required ? "请选择" : "表里没有"}
          options={[...options]}
          {...(missing && { status: "error" as const })}
          value={heading}
          onChange={onChange}
        />
      </td>
    </tr>
  );
}
