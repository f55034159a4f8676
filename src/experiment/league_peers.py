"""What diffprivlib's models reach on the data of `experiment league`: writes league_peers.csv.

pip install diffprivlib==0.6.6 scikit-learn==1.6.1 numpy==2.2.6; python league_peers.py FOLDER_OF_THE_DATA > league_peers.csv

Defaults of the library; the bounds files of this source. LogisticRegression takes rows of norm at most `data_norm`: features in
[-1, 1] divided by sqrt(p), and 1. Both are purely epsilon-private. 20 random splits, a fifth held out.

Besides, objective perturbation of the logistic loss with Gaussian noise (Kifer, Smith and Thakurta 2012, Theorem 2), at delta =
1/n^2: rows of norm 1 at most, hence gradients within 1 and curvature within 1/4. The theorem is of a record that comes or goes; a
replaced one moves the gradient by up to 2, hence twice its deviation. Of the two changes of the curvature one raises the
determinant and one lowers it, so that the ridge is the theorem's. The guarantee is of the exact minimiser; Newton's method is run
to a gradient of norm 1e-9 n, and what is left of the difference has no certificate here.
"""

import gzip
import sys
import warnings
from pathlib import Path

import numpy as np
from diffprivlib.models import LinearRegression, LogisticRegression
from sklearn.datasets import load_svmlight_file

HERE = Path(__file__).parent / "../problem/data"
DATA = Path(sys.argv[1])
# The most by which a replaced record moves the gradient.
REPLACED = 2.0


def bounds(name):
    lines = (HERE / name).read_text().splitlines()[1:]
    ends = [line.rsplit(",", 2)[1:] for line in lines if not line.startswith("#")]
    return np.array(ends, float)


def unit(x, ends):
    low, high = ends[:, 0], ends[:, 1]
    return np.clip(2 * (x - low) / (high - low) - 1, -1, 1)


def opened(name):
    return gzip.open(DATA / name, "rt")


def problems():
    cancer = np.loadtxt(HERE / "breast_cancer.csv", delimiter=",", skiprows=1)
    yield "breast cancer", unit(cancer[:, :-1], bounds("breast_cancer.bounds.csv")), cancer[:, -1], None
    x, y = load_svmlight_file(gzip.open(DATA / "a9a.svm.gz"), n_features=123)
    yield "a9a", x.toarray(), y, None
    parts = [np.loadtxt(opened(f"madelon_{part}.data.gz")) for part in ("train", "valid")]
    labels = [np.loadtxt(DATA / f"madelon_{part}.labels") for part in ("train", "valid")]
    yield "madelon", unit(np.vstack(parts), np.array([[0, 999]] * 500)), np.concatenate(labels), None
    raw = np.loadtxt(opened("cal_housing.csv.gz"), delimiter=",", skiprows=1)
    longitude, latitude, age, rooms, bedrooms, people, households, income, value = raw.T
    columns = [income, age, rooms / households, bedrooms / households, people, people / households, latitude, longitude]
    ends = bounds("california_derived.bounds.csv")
    yield "california", unit(np.column_stack(columns), ends), value / 1e5, (0.0, 5.00001)
    x, y = np.loadtxt(opened("diabetes_data_raw.csv.gz")), np.loadtxt(opened("diabetes_target.csv.gz"))
    yield "diabetes", unit(x, bounds("diabetes.bounds.csv")), y, (25.0, 346.0)


def perturbed(x, y, epsilon, rng):
    """The minimiser of sum log(1 + exp(-y_i x_i w)) + ||w||^2 / (4 epsilon) + b w, rows of norm <= 1, y = -1 or 1."""
    n, p = x.shape
    delta = 1 / n**2
    deviation = REPLACED * np.sqrt(8 * np.log(2 / delta) + 4 * epsilon) / epsilon
    b, ridge = rng.normal(0, deviation, p), 2 * 0.25 / epsilon

    def value(w):
        return np.logaddexp(0, -y * (x @ w)).sum() + ridge / 2 * w @ w + b @ w

    w = np.zeros(p)
    for _ in range(100):
        m = 1 / (1 + np.exp(y * (x @ w)))
        gradient = -x.T @ (y * m) + ridge * w + b
        if np.linalg.norm(gradient) <= 1e-9 * n:
            return w
        step = np.linalg.solve((x.T * (m * (1 - m))) @ x + ridge * np.eye(p), gradient)
        length = 1.0
        # The last digits of the value decide nothing.
        least = value(w) * (1 + 1e-12 * np.sign(value(w)))
        while value(w - length * step) > least - 1e-4 * length * (gradient @ step) and length > 1e-9:
            length /= 2
        w = w - length * step
    raise ArithmeticError("Newton's method did not end")


def splits(count):
    for epsilon in (0.1, 0.5, 1, 3, 10):
        for run in range(20):
            order = np.random.default_rng(run).permutation(count)
            held, train = np.split(order, [round(0.2 * count)])
            yield epsilon, run, train, held


def libraries():
    for name, x, y, target in problems():
        for epsilon, run, train, held in splits(len(y)):
            if target is None:
                scaled = x / np.sqrt(x.shape[1])
                model = LogisticRegression(epsilon=epsilon, data_norm=1.0, random_state=run)
                value, metric = model.fit(scaled[train], y[train]).score(scaled[held], y[held]), "accuracy"
            else:
                ends = (-1.0, 1.0)
                model = LinearRegression(epsilon=epsilon, bounds_X=ends, bounds_y=target, random_state=run)
                value, metric = model.fit(x[train], y[train]).score(x[held], y[held]), "R2"
            print(f"{name},diffprivlib,{metric},{epsilon:g},{run},{value:.4f}", flush=True)


def perturbations():
    for name, x, y, target in problems():
        if target is not None:
            continue
        rows = np.column_stack([x, np.ones(len(y))]) / np.sqrt(x.shape[1] + 1)
        signs = np.where(y == np.max(y), 1.0, -1.0)
        for epsilon, run, train, held in splits(len(y)):
            w = perturbed(rows[train], signs[train], epsilon, np.random.default_rng([run, 1]))
            value = np.mean((rows[held] @ w > 0) == (signs[held] > 0))
            print(f"{name},objective perturbation,accuracy,{epsilon:g},{run},{value:.4f}", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print("problem,method,metric,epsilon,run,value")
    libraries()
    perturbations()
