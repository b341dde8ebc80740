import type { ReactNode } from "react";

/** Where the figures and charts will stand, in their sizes, so that nothing jumps when they come. */
export function StatisticsSkeleton({ figures = 5 }: { figures?: number }): ReactNode {
  return (
    <div className="statistics-body" role="status" aria-label="正在加载">
      <div className="sheet stats">
        {Array.from({ length: figures }, (_figure, index) => (
          <div key={index} className="stat bone-stat">
            <span className="bone" />
            <span className="bone" />
            <span className="bone" />
          </div>
        ))}
      </div>
      <div className="sheet bone-strip" />
      <div className="statistics-row">
        <Card />
        <Card />
      </div>
    </div>
  );
}

function Card(): ReactNode {
  return (
    <div className="sheet bone-card">
      <span className="bone" />
      <span className="bone" />
    </div>
  );
}
